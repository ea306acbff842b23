// SPDX-License-Identifier: Apache-2.0
//
// What every page has: the data, elements made without markup, figures in words, colours, the label that follows
// pointer and focus, and what is selected. Text of strangers only ever becomes text nodes and attributes.
'use strict';

const D = JSON.parse(document.getElementById('data').textContent);

// ---- elements ----

function put(parent, kids) {
  for (const kid of kids.flat(9))
    if (kid !== null && kid !== undefined && kid !== false)
      parent.append(kid);
  return parent;
}

function set(e, attributes) {
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on'))
      e.addEventListener(key.slice(2), value);
    else if (value === true)
      e.setAttribute(key, '');
    else if (value !== null && value !== undefined && value !== false)
      e.setAttribute(key, value);
  }
  return e;
}

function el(tag, attributes, ...kids) {
  return put(set(document.createElement(tag), attributes || {}), kids);
}

function svg(tag, attributes, ...kids) {
  return put(set(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes || {}), kids);
}

// ---- figures, in the words and digits of the report ----

const known = x => x !== null && x !== undefined && isFinite(x);

// Fixed decimals; a tie goes to the even digit, as in the program's own outputs.
function fixed(x, decimals) {
  const scaled = Math.abs(x) * 10 ** decimals, low = Math.floor(scaled);
  if (scaled - low !== 0.5 || scaled > 2 ** 50)
    return x.toFixed(decimals);
  const even = (low % 2 ? low + 1 : low) / 10 ** decimals;
  return (x < 0 ? -even : even).toFixed(decimals);
}

function scaled(x, scales, base) {
  if (!known(x))
    return '–';
  for (const [from, unit] of scales)
    if (Math.abs(x) >= from)
      return fixed(x / from, 2) + ' ' + unit;
  return fixed(x, 0) + ' ' + base;
}

const PACKETS = [[1e9, 'Gpps'], [1e6, 'Mpps'], [1e3, 'kpps']], BITS = [[1e3, 'Gb/s']], TIMES = [[1e3, 'ms']];
const rateIn = (x, unit) => scaled(x, unit === 'pps' ? PACKETS : unit === 'Mb/s' ? BITS : [], unit);
const rate = x => rateIn(x, D.meta.unit);
const time = us => scaled(us, TIMES, 'us');
const percent = x => known(x) ? fixed(x, 0) + '%' : '–';
const percent1 = x => known(x) ? fixed(x, 1) + '%' : '–';
const points = x => known(x) ? (x > 0 ? '+' : '') + fixed(x, 1) + ' pts' : '–';
const whole = x => known(x) ? fixed(x, 0) : '–';
const trimmed = (x, decimals) => known(x) ? String(Number(fixed(x, decimals))) : '–';
const count = (n, noun) => n + ' ' + noun + (n === 1 ? '' : /[xsh]$/.test(noun) ? 'es' : 's');

function date(ts) {
  if (!known(ts))
    return '';
  return new Date(ts * 1000).toISOString().slice(0, 16).replace('T', ' ') + ' UTC';
}

// ---- how it stands: a word, a mark and a colour, never the colour alone ----

const STATES = {
  ok: {word: 'ok', mark: ''},
  short: {word: 'short', mark: '▼'},
  fail: {word: 'failed', mark: '✕'},
  above: {word: 'above its hardware', mark: '▲'},
  none: {word: 'not compared', mark: '?'},
  silent: {word: 'never reported', mark: '!'},
};

function stateOf(share) {
  if (!known(share))
    return 'none';
  if (share < D.meta.fail)
    return 'fail';
  return share < D.meta.short ? 'short' : share > D.meta.above ? 'above' : 'ok';
}

// ---- colours: diverging, pinned at 100 percent ----

const SCALES = {
  light: [[0, 133, 20, 14], [40, 197, 60, 44], [70, 232, 134, 108], [90, 246, 208, 192], [97, 228, 232, 236],
          [103, 228, 232, 236], [115, 197, 217, 240], [145, 112, 163, 219], [200, 24, 84, 156]],
  dark: [[0, 255, 106, 92], [40, 226, 84, 68], [70, 168, 76, 62], [90, 106, 66, 60], [97, 52, 60, 70],
         [103, 52, 60, 70], [115, 50, 80, 112], [145, 62, 124, 190], [200, 150, 203, 255]],
};
// And for how full or how much something is: from pale to strong, pinned at 0 and 100.
const FULLNESS = {
  light: [[0, 236, 240, 244], [50, 170, 197, 226], [100, 32, 84, 147]],
  dark: [[0, 40, 47, 56], [50, 48, 84, 125], [100, 140, 196, 255]],
};

const darkness = matchMedia('(prefers-color-scheme: dark)');
let printing = false;
const theme = () => darkness.matches && !printing ? 'dark' : 'light';

function mix(stops, x) {
  const at = Math.max(stops[0][0], Math.min(x, stops[stops.length - 1][0]));
  let i = 1;
  while (stops[i][0] < at)
    i++;
  const [a, ...from] = stops[i - 1], [b, ...to] = stops[i], part = (at - a) / (b - a);
  return from.map((v, k) => Math.round(v + (to[k] - v) * part));
}

const colour = share => mix((D.meta.full ? FULLNESS : SCALES)[theme()], share);
const css = rgb => 'rgb(' + rgb.join(',') + ')';

// The luminance of WCAG, to put black or white on it.
function light(rgb) {
  const [r, g, b] = rgb.map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
const inkOn = rgb => light(rgb) > 0.179 ? '#000' : '#fff';

const repaints = [];
function repaint() {
  for (const paint of repaints)
    paint();
}
darkness.addEventListener('change', repaint);
addEventListener('beforeprint', () => { printing = true; repaint(); });
addEventListener('afterprint', () => { printing = false; repaint(); });

// ---- the label ----

const label = el('div', {id: 'label', role: 'tooltip', hidden: true});

// Lines of text: the first one names the thing, those that are pairs are a figure and its name.
function showLabel(lines, box) {
  label.replaceChildren(...lines.filter(Boolean).map((line, i) => Array.isArray(line) ?
    el('div', {class: 'pair'}, el('span', {}, line[0]), el('b', {}, line[1])) : el('div', {class: i ? '' : 'what'}, line)));
  label.hidden = false;
  const w = label.offsetWidth, h = label.offsetHeight, below = box.bottom + 10;
  label.style.left = Math.max(8, Math.min(box.left, innerWidth - w - 8)) + 'px';
  label.style.top = Math.max(8, below + h > innerHeight ? box.top - h - 10 : below) + 'px';
}

function hideLabel() {
  label.hidden = true;
}

// The element shows the lines while the pointer is on it or it has the focus.
function labelled(e, lines) {
  const show = () => showLabel(lines(), e.getBoundingClientRect());
  set(e, {onpointerenter: show, onpointerleave: hideLabel, onfocus: show, onblur: hideLabel});
  return e;
}
addEventListener('scroll', hideLabel, {passive: true});

// One tab stop for many: the arrow keys move within. `step` says by how many the up and down keys go.
function rove(elements, step) {
  elements.forEach((e, i) => {
    e.tabIndex = i ? -1 : 0;
    e.addEventListener('keydown', event => {
      const to = {ArrowRight: i + 1, ArrowLeft: i - 1, ArrowDown: i + step(), ArrowUp: i - step(), Home: 0,
                  End: elements.length - 1}[event.key];
      if (to === undefined || !elements[to])
        return;
      event.preventDefault();
      e.tabIndex = -1;
      elements[to].tabIndex = 0;
      elements[to].focus();
    });
  });
}

// ---- what is selected: hosts, or one flow's two ends ----

const selection = {hosts: new Set(), pair: null, text: '', key: ''};
const followers = [];

function select(key, text, hosts, pair) {
  const again = selection.key === key;
  selection.key = again ? '' : key;
  selection.text = again ? '' : text;
  selection.hosts = new Set(again ? [] : hosts);
  selection.pair = again ? null : pair || null;
  for (const follow of followers)
    follow();
}
const selected = () => selection.key !== '';
const clearSelection = () => selected() && select(selection.key);
addEventListener('keydown', event => {
  if (event.key !== 'Escape')
    return;
  hideLabel();
  clearSelection();
});
