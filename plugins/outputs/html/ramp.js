// SPDX-License-Identifier: Apache-2.0
//
// The page of a ramp: asked against delivered, the p99 with its curve, and every host in small.

const STEPS = D.steps.map(([label, flows, asked, delivered, p99]) => ({label, flows, asked, delivered, p99}));
const FITS = D.fits.map(fit => ({...fit, host: HOSTS[fit.host]}));
const FLEET = D.fleet;
const pointsOf = fit => fit.points.map(([step, asked, delivered, p99]) => ({step: STEPS[step], asked, delivered, p99}));
const keptUp = p => known(p.asked) && p.delivered >= D.meta.keep_up / 100 * p.asked;
const perFlow = fit => fit.ceiling / fit.flows;
const ofFleet = fit => FLEET && FLEET.ceiling > 0 ? perFlow(fit) / FLEET.ceiling * 100 : null;
// A host that never fell short has no ceiling to be judged by.
const fitState = fit => fit.reached ? stateOf(Math.min(100, ofFleet(fit))) : 'ok';

function pointLines(p, name) {
  return [name ? name + ', ' + p.step.label : p.step.label, ['asked', known(p.asked) ? rate(p.asked) : 'unpaced'], ['delivered', rate(p.delivered)],
    known(p.asked) && ['kept up', percent1(p.delivered / p.asked * 100)], known(p.p99) && ['p99', time(p.p99)], ['that is', keptUp(p) ? 'kept up' : 'fell short']];
}

// A dot where it kept up, an open triangle where it fell short.
function point(x, y, p, name) {
  const mark = keptUp(p) ? svg('circle', {class: 'point', cx: x, cy: y, r: 4.5}) :
    svg('path', {class: 'point short', d: 'M' + (x - 5.5) + ' ' + (y - 4.5) + 'h11l-5.5 10z'});
  set(mark, {tabindex: '-1', role: 'img', 'data-step': p.step.label,
    'aria-label': pointLines(p, name).filter(Boolean).map(line => Array.isArray(line) ? line.join(' ') : line).join(', ')});
  return labelled(mark, () => pointLines(p, name));
}

const path = points => svg('path', {class: 'line', d: points.map(([x, y], i) => (i ? 'L' : 'M') + x.toFixed(1) + ' ' + y.toFixed(1)).join('')});
const axisRate = most => x => most >= 1e6 ? trimmed(x / 1e6, 2) + ' M' : most >= 1e3 ? trimmed(x / 1e3, 2) + ' k' : trimmed(x, 2);

function level(p, at, text, above) {
  return [svg('line', {class: 'limit', x1: p.frame.left, x2: p.frame.left + p.w, y1: p.y(at), y2: p.y(at)}),
          svg('text', {class: 'strong', x: p.frame.left + 6, y: p.y(at) + (above ? -5 : 14)}, text)];
}

function upright(p, at, text, row, left) {
  return [svg('line', {class: 'limit', x1: p.x(at), x2: p.x(at), y1: p.frame.top, y2: p.frame.top + p.h}),
          svg('text', {class: 'strong', x: p.x(at) + (left ? -5 : 5), y: p.frame.top + 11 + 15 * row, 'text-anchor': left ? 'end' : 'start'}, text)];
}

// Hardware far beyond the ceiling would flatten everything else: it is then said in words alone.
const worthDrawing = (hardware, most) => known(hardware) && hardware < 2.5 * most;

// Where an unpaced step stands, right of the last tick.
const MAX_AT = 44;

function deliveredChart() {
  const points = pointsOf(FLEET), rates = points.flatMap(p => [p.asked, p.delivered]).filter(known);
  const most = Math.max(...rates, D.prediction.rate || 0), frame = {width: 620, height: 330, left: 60, right: 70, top: 26, bottom: 40};
  const top = worthDrawing(FLEET.hardware, Math.max(...points.map(p => p.delivered))) ? Math.max(most, FLEET.hardware) : most;
  const p = plane(frame, ticks(most, 5), ticks(top, 5), axisRate(most), axisRate(top), ['asked per flow, ' + D.meta.unit, 'delivered per flow, ' + D.meta.unit]);
  const edge = Math.min(p.xMost, p.yMost);
  put(p.root, [svg('line', {class: 'asked', x1: p.x(0), y1: p.y(0), x2: p.x(edge), y2: p.y(edge)}),
    svg('text', {x: p.x(edge * 0.55) - 8, y: p.y(edge * 0.55) - 6, 'text-anchor': 'end'}, 'all that is asked'),
    FLEET.reached && level(p, FLEET.ceiling, 'ceiling ' + rate(FLEET.ceiling), true),
    top > most && level(p, FLEET.hardware, 'the hardware allows ' + rate(FLEET.hardware), true),
    known(FLEET.knee) && upright(p, FLEET.knee, 'knee ' + rate(FLEET.knee), 17, true)].flat(2).filter(Boolean));
  const paced = points.filter(q => known(q.asked)).sort((a, b) => a.asked - b.asked);
  put(p.root, [path(paced.map(q => [p.x(q.asked), p.y(q.delivered)]))]);
  // an unpaced step asked for everything: it stands at the right edge
  put(p.root, points.map(q => point(known(q.asked) ? p.x(q.asked) : frame.left + p.w + MAX_AT, p.y(q.delivered), q)));
  if (points.some(q => !known(q.asked)))
    put(p.root, [svg('text', {x: frame.left + p.w + MAX_AT, y: frame.top + p.h + 17, 'text-anchor': 'middle'}, 'max')]);
  if (known(FLEET.predicted))
    put(p.root, predicted(p, D.prediction.rate, FLEET.predicted));
  return finish(p, 'Asked against delivered, per flow');
}

function predicted(p, x, y) {
  const at = [p.x(x), p.y(y)];
  return [svg('path', {class: 'predicted', d: 'M' + at[0] + ' ' + (at[1] - 7) + 'l7 7l-7 7l-7 -7z'}),
          svg('text', {class: 'strong', x: at[0], y: at[1] + (at[1] + 24 > p.frame.top + p.h ? -13 : 22), 'text-anchor': 'middle'}, 'predicted')];
}

function p99Chart() {
  const points = pointsOf(FLEET).filter(q => known(q.p99)), most = Math.max(FLEET.ceiling, ...points.map(q => q.delivered));
  const top = Math.max(1, ...points.map(q => q.p99)), frame = {width: 620, height: 330, left: 60, right: 56, top: 26, bottom: 40};
  const p = plane(frame, ticks(most, 5), ticks(top, 5), axisRate(most), top >= 1e4 ? t => trimmed(t / 1e3, 2) + ' ms' : t => trimmed(t, 2), ['delivered per flow, ' + D.meta.unit, 'p99, ' + (top >= 1e4 ? '' : 'us')]);
  if (known(FLEET.b)) {
    const curve = [];
    for (let u = 0; u <= 0.98; u += 0.005) {
      const y = FLEET.r0 + FLEET.b * u / (1 - u);
      if (y <= p.yMost)
        curve.push([p.x(u * FLEET.ceiling), p.y(y)]);
    }
    put(p.root, [path(curve)]);
  }
  put(p.root, [FLEET.reached && upright(p, FLEET.ceiling, 'ceiling', 0, false), known(FLEET.knee) && upright(p, FLEET.knee, 'knee ' + rate(FLEET.knee), 0, true)].flat().filter(Boolean));
  put(p.root, points.map(q => point(p.x(q.delivered), p.y(q.p99), q)));
  if (known(FLEET.predicted_p99))
    put(p.root, predicted(p, FLEET.predicted, FLEET.predicted_p99));
  return finish(p, 'p99 against delivered, per flow');
}

function finish(p, name) {
  set(p.root, {role: 'group', 'aria-label': name});
  rove([...p.root.querySelectorAll('.point')], () => 1);
  return el('div', {class: 'figure'}, p.root);
}

const curveText = () => known(FLEET.b) ? 'Fitted: ' + time(FLEET.r0) + ' + ' + time(FLEET.b) + ' × u/(1−u), u = delivered / ceiling.' : 'Too few steps kept up for a curve.';

// ---- hosts in small ----

const SMALL = 48;

function smallMultiple(fit, scale) {
  const frame = {width: 190, height: 104, left: 6, right: 20, top: 8, bottom: 6}, points = pointsOf(fit);
  const p = plane(frame, [0, scale.x], [0, scale.y]);
  const flows = fit.flows, state = fitState(fit), x = v => p.x(v / flows), y = v => p.y(v / flows);
  const edge = Math.min(scale.x, scale.y);
  put(p.root, [svg('line', {class: 'asked', x1: p.x(0), y1: p.y(0), x2: p.x(edge), y2: p.y(edge)}),
    fit.reached && svg('line', {class: 'limit', x1: frame.left, x2: frame.left + p.w, y1: y(fit.ceiling), y2: y(fit.ceiling)})].filter(Boolean));
  const paced = points.filter(q => known(q.asked)).sort((a, b) => a.asked - b.asked);
  put(p.root, [path(paced.map(q => [x(q.asked), y(q.delivered)]))]);
  for (const q of points) {
    const at = [known(q.asked) ? x(q.asked) : frame.left + p.w + 10, y(q.delivered)];
    put(p.root, [keptUp(q) ? svg('circle', {class: 'point', cx: at[0], cy: at[1], r: 2.6}) : svg('path', {class: 'point short', d: 'M' + (at[0] - 3.5) + ' ' + (at[1] - 3) + 'h7l-3.5 6.5z'})]);
  }
  p.root.setAttribute('aria-hidden', 'true');
  const share = fit.reached ? percent(ofFleet(fit)) + ' of the fleet' : 'never fell short';
  const card = el('button', {type: 'button', class: 'small ' + state, 'aria-pressed': 'false', 'data-host': fit.host.name, onclick: () => selectHost(fit.host)},
    el('span', {class: 'row'}, el('b', {}, fit.host.name), mark(state)), p.root, el('span', {class: 'row'}, el('span', {}, rate(perFlow(fit)) + ' per flow'), el('span', {class: 'hint'}, share)));
  followers.push(() => {
    card.classList.toggle('on', hostOn(fit.host));
    card.setAttribute('aria-pressed', String(hostOn(fit.host)));
  });
  return labelled(card, () => [fit.host.name, ['ceiling, in all', rate(fit.ceiling)], ['per flow', rate(perFlow(fit))], ['limit', fit.limit],
    known(fit.knee) && ['knee, in all', rate(fit.knee)], known(fit.hardware) && ['the hardware allows', rate(fit.hardware)], ['model', fit.check]]);
}

function smallSection() {
  const list = FITS.slice().sort((a, b) => perFlow(a) - perFlow(b)), all = FITS.flatMap(fit => fit.points.flatMap(q => [q[1], q[2]]).filter(known).map(v => v / fit.flows));
  const most = Math.max(1, ...all) * 1.04, scale = {x: most, y: most}, grid = el('div', {class: 'smalls'});
  let shown = 0;
  const more = el('button', {type: 'button', class: 'more', onclick: grow});
  function grow() {
    put(grid, list.slice(shown, shown + SMALL).map(fit => smallMultiple(fit, scale)));
    shown = Math.min(list.length, shown + SMALL);
    more.hidden = shown === list.length;
    more.textContent = 'Show ' + Math.min(SMALL, list.length - shown) + ' more of ' + (list.length - shown);
  }
  grow();
  return section('small', 'Host by host', 'Asked and delivered per flow, all to one scale, the lowest ceiling first.', grid, more);
}

// ---- tables ----

function stepTable() {
  return makeTable('steps', STEPS, [
    {title: 'Step', head: true, get: s => s.label},
    {title: 'Asked', number: true, get: s => s.asked, text: x => known(x) ? rate(x) : 'unpaced'},
    {title: 'Delivered', number: true, get: s => s.delivered, text: rate},
    {title: 'Kept up', number: true, get: s => known(s.asked) ? s.delivered / s.asked * 100 : null, text: percent1},
    {title: 'p99', number: true, get: s => s.p99, text: time},
    {title: 'Flows', number: true, get: s => s.flows, text: whole},
  ], {on: () => false, sort: [2, false], caption: 'steps', noun: 'step', plain: true, key: s => s.label});
}

function fitTable() {
  const predict = known(D.prediction.rate);
  return makeTable('hosts', FITS, [
    {title: 'Host', head: true, get: f => f.host.name, pick: f => () => selectHost(f.host), mark: fitState},
    {title: 'Per flow', number: true, get: perFlow, text: rate, hint: 'its ceiling per flow'},
    {title: 'Of the fleet', number: true, get: ofFleet, text: percent1},
    {title: 'Ceiling', number: true, get: f => f.ceiling, text: rate, hint: 'the most it delivered in all'},
    {title: 'Sustained', number: true, get: f => f.sustained, text: rate},
    {title: 'Knee', number: true, get: f => f.knee, text: rate},
    ...(predict ? [{title: 'Predicted', number: true, get: f => f.predicted, text: rate}, {title: 'Predicted p99', number: true, get: f => f.predicted_p99, text: time}] : []),
    {title: 'Limit', get: f => f.limit},
    {title: 'Model', get: f => f.check},
  ], {on: f => hostOn(f.host), short: f => fitState(f) !== 'ok', sort: [1, false], caption: 'hosts', noun: 'host', key: f => f.host.name});
}

function predictionText() {
  if (!known(D.prediction.rate))
    return null;
  const f = FLEET, what = known(f.predicted) ? rate(f.predicted) + ' delivered per flow' + (known(f.predicted_p99) ? ', p99 ' + time(f.predicted_p99) : ', no p99: too close to the ceiling or no curve') : 'nothing: beyond what was asked';
  return el('p', {class: 'baseline'}, el('b', {}, 'At ' + rate(D.prediction.rate) + ' per flow the model predicts '), what + '. The model is ' + f.check + '.');
}

function rampPage() {
  const charts = FLEET && FLEET.points.length;
  const stats = charts ? [
    stat('Ceiling per flow', FLEET.reached ? rate(FLEET.ceiling) : 'over ' + rate(FLEET.ceiling), FLEET.reached ? 'at step ' + FLEET.ceiling_step : 'never fell short'),
    stat('Hardware allows', rate(FLEET.hardware), known(FLEET.hardware) ? percent(FLEET.ceiling / FLEET.hardware * 100) + ' reached' : null),
    stat('Sustained', rate(FLEET.sustained), known(FLEET.first_short) ? 'short at ' + rate(FLEET.first_short) : null),
    stat('Knee', rate(FLEET.knee), 'p99 at ' + trimmed(D.meta.bloat, 2) + '×'),
    stat('Model', FLEET.check, known(FLEET.loo_delivered) ? 'delivered within ' + percent(FLEET.loo_delivered) : null)] : [];
  const sections = [findings(),
    charts && section('delivered', 'Asked and delivered', 'Dots kept up, triangles fell short.', deliveredChart()),
    charts && section('p99', 'p99', curveText(), p99Chart()),
    section('steps', 'Steps', null, stepTable()), smallSection(), section('hosts', 'Hosts', null, fitTable()),
    section('hardware', 'Assumptions', null, el('div', {class: 'facts'}, sentences('Assumed', D.assumptions), sentences('Notes', D.notes)), skippedRules())].filter(Boolean);
  put(document.body, [header('reckon', sections), el('main', {}, verdict(stats), predictionText(),
    charts ? [el('div', {class: 'pair-of-sections'}, sections[0], sections[1]), el('div', {class: 'pair-of-sections'}, sections[2], sections[3]), sections.slice(4)] : sections), footer(), selectionBar(() => ''), label]);
  repaint();
}

rampPage();
