// SPDX-License-Identifier: Apache-2.0
//
// Charts in SVG: axes with round numbers, and the histogram of flows.

// Round numbers from 0 to at least `most`, some `about` of them.
function ticks(most, about) {
  const raw = (most > 0 ? most : 1) / about, power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 2.5, 5, 10].find(x => x * power >= raw * 0.999) * power, all = [];
  for (let i = 0; i * step < most + step * 0.999; i++)
    all.push(i * step);
  return all;
}

// A plane with axes: {root, x(value), y(value), w, h}; `frame` is {width, height, left, right, top, bottom}.
function plane(frame, xTicks, yTicks, xText, yText, names) {
  const w = frame.width - frame.left - frame.right, h = frame.height - frame.top - frame.bottom;
  const xMost = xTicks[xTicks.length - 1], yMost = yTicks[yTicks.length - 1];
  const x = v => frame.left + v / xMost * w, y = v => frame.top + h - v / yMost * h;
  const root = svg('svg', {viewBox: '0 0 ' + frame.width + ' ' + frame.height, class: 'chart'});
  for (const t of yTicks)
    put(root, [svg('line', {class: 'rule', x1: frame.left, x2: frame.left + w, y1: y(t), y2: y(t)}),
               yText && svg('text', {x: frame.left - 6, y: y(t) + 4, 'text-anchor': 'end'}, yText(t))]);
  for (const t of xTicks)
    put(root, [svg('line', {class: 'tick', x1: x(t), x2: x(t), y1: frame.top + h, y2: frame.top + h + 4}),
               xText && svg('text', {x: x(t), y: frame.top + h + 17, 'text-anchor': 'middle'}, xText(t))]);
  if (names)
    put(root, [svg('text', {class: 'axis', x: frame.left + w, y: frame.height - 4, 'text-anchor': 'end'}, names[0]),
               svg('text', {class: 'axis', x: 4, y: 12}, names[1])]);
  return {root, x, y, w, h, xMost, yMost, frame};
}

// ---- the histogram: how many flows reach which share ----

const BIN = 5;

function binLabel(i) {
  return i === D.histogram.length - 1 ? i * BIN + '% and more' : i * BIN + ' to ' + (i + 1) * BIN + '%';
}

function bar(p, i, n) {
  const share = (i + 0.5) * BIN, state = D.meta.full ? 'ok' : stateOf(share), x = p.x(i * BIN), w = p.x(BIN) - p.x(0);
  const rect = svg('rect', {class: 'bar ' + state, x: x + 1, y: p.y(n), width: w - 2, height: p.y(0) - p.y(n), tabindex: '-1', role: 'img',
    'aria-label': binLabel(i) + ': ' + count(n, 'flow'), 'data-count': n});
  const paint = () => { rect.style.fill = css(colour(share)); };
  paint();
  repaints.push(paint);
  labelled(rect, () => [binLabel(i) + ' ' + SHARE, ['flows', String(n)], ['that is', STATES[state].word]]);
  const mark = STATES[state].mark ? svg('text', {class: 'over', x: x + w / 2, y: p.y(n) - 4, 'text-anchor': 'middle', 'aria-hidden': 'true'}, STATES[state].mark) : null;
  return [rect, mark];
}

function histogramSection() {
  const bins = D.histogram, last = bins.reduce((to, n, i) => n ? i : to, 0), total = bins.reduce((a, b) => a + b, 0);
  const frame = {width: 720, height: 230, left: 64, right: 16, top: 24, bottom: 38};
  const xMost = Math.max(PLAN && !CHANGED ? 100 : 120, (last + 1) * BIN), xTicks = [];
  for (let t = 0; t <= xMost; t += 20)
    xTicks.push(t);
  if (xTicks[xTicks.length - 1] < xMost)
    xTicks.push(xTicks[xTicks.length - 1] + 20);
  const p = plane(frame, xTicks, ticks(Math.max(1, ...bins), 4), t => t + '%', t => trimmed(t, 1), [SHARE, 'flows']);
  p.root.setAttribute('role', 'group');
  p.root.setAttribute('aria-label', 'Histogram of ' + count(total, 'flow'));
  bins.forEach((n, i) => n && put(p.root, bar(p, i, n)));
  for (const [at, text] of D.meta.kind === 'run' ? [[D.meta.short, 'short'], [D.meta.fail, 'failed']] : [])
    put(p.root, [svg('line', {class: 'limit', x1: p.x(at), x2: p.x(at), y1: frame.top, y2: frame.top + p.h}),
                 svg('text', {x: p.x(at) - 4, y: frame.top + 10, 'text-anchor': 'end'}, text + ' below')]);
  const bars = [...p.root.querySelectorAll('.bar')];
  rove(bars, () => 1);
  return section('histogram', 'Histogram', count(total, 'flow') + ', by what share ' + SHARE + ' each reaches.', el('div', {class: 'figure'}, p.root));
}
