// SPDX-License-Identifier: Apache-2.0
//
// The floor as the layout has it: rooms, rows, racks and hosts in order of the file, hosts coloured by their share,
// groups with how full their uplinks are.

// How much room there is for a host: its name and figure, its name, or its mark alone.
const DENSITY = HOSTS.length <= 80 ? 'roomy' : HOSTS.length <= 400 ? 'close' : 'dense';

function floorTree() {
  const nodes = D.floor.map(([parent, kind, name, host, cols, others, group]) =>
    ({parent, kind, name, host: host < 0 ? null : HOSTS[host], cols, others, group: group < 0 ? null : GROUPS[group], kids: []}));
  const roots = [], placed = new Set();
  for (const node of nodes) {
    if (node.host)
      placed.add(node.host.i);
    (node.parent < 0 ? roots : nodes[node.parent].kids).push(node);
  }
  const lost = HOSTS.filter(host => !placed.has(host.i));
  if (lost.length)
    roots.push({kind: '', name: D.floor.length ? 'not in the layout' : 'no layout: hosts by name', cols: 0, others: 0, group: null,
                kids: lost.map(host => ({kind: '', name: host.name, host, kids: []}))});
  return roots;
}

// Names that only differ in their ends are shown by the layout's id, which is short.
const shortName = node => (node.host.name.length > 9 || DENSITY === 'close') && node.name.length < node.host.name.length ? node.name : node.host.name;

function hostCell(node) {
  const host = node.host, state = hostState(host);
  const cell = el('button', {type: 'button', class: 'host ' + state, 'data-host': host.name, 'aria-pressed': 'false',
    'aria-label': host.name + ', ' + percent1(host.share) + (state === 'ok' ? '' : ', ' + STATES[state].word), onclick: () => selectHost(host)},
    DENSITY !== 'dense' && el('span', {class: 'name'}, shortName(node)),
    el('span', {class: 'mark', 'aria-hidden': 'true'}, STATES[state].mark),
    DENSITY === 'roomy' && el('span', {class: 'figure'}, percent(host.share)));
  const paint = () => {
    const rgb = known(host.share) ? colour(host.share) : null;
    cell.style.backgroundColor = rgb ? css(rgb) : '';
    cell.style.color = rgb ? inkOn(rgb) : '';
  };
  paint();
  repaints.push(paint);
  followers.push(() => {
    cell.classList.toggle('on', hostOn(host));
    cell.setAttribute('aria-pressed', String(hostOn(host)));
  });
  return labelled(cell, () => hostLines(host));
}

// A link as a bar: as long as it is full, with a line where it is expected to be.
function gauge(link) {
  const pct = PLAN ? link.expectedPct : link.achievedPct, full = pct >= 95;
  const fill = el('i'), tick = PLAN || !known(link.expectedPct) ? null : el('b');
  fill.style.width = Math.min(100, pct) + '%';
  if (tick)
    tick.style.left = Math.min(100, link.expectedPct) + '%';
  return el('span', {class: 'gauge' + (full ? ' full' : ''), 'data-link': link.group.path + ' ' + (link.out ? 'out' : 'in')},
    el('span', {class: 'way', 'aria-hidden': 'true'}, link.out ? '↑' : '↓'), el('span', {class: 'track'}, fill, tick),
    DENSITY !== 'dense' && el('span', {class: 'figure'}, percent(pct)));
}

function groupHead(node, name) {
  const group = node.group, links = linksOf.group[group.i].filter(link => known(link.capacity)).sort((a, b) => b.out - a.out);
  const head = el('button', {type: 'button', class: 'head', 'aria-pressed': 'false', onclick: () => selectGroup(group),
    'aria-label': group.kind + ' ' + group.label + (links.length ? ', uplinks ' + links.map(l => (l.out ? 'out ' : 'in ') + percent(PLAN ? l.expectedPct : l.achievedPct)).join(', ') : ', no uplinks declared')},
    el('span', {class: 'name'}, name),
    el('span', {class: 'gauges'}, links.length ? links.map(gauge) : el('span', {class: 'hint'}, 'no uplinks')));
  followers.push(() => {
    const on = selected() && links.some(linkOn);
    head.classList.toggle('on', on);
    head.setAttribute('aria-pressed', String(selection.key === 'group ' + group.i));
  });
  return labelled(head, () => groupLines(group));
}

function others(node) {
  return node.others > 2 && node.kids.length ? el('span', {class: 'others', title: count(node.others, 'element') + ' not in this run'}, '+' + node.others) : null;
}

// Places that hold one place alone are said in one breath: "dc T / room h1 / row A".
function placeName(node) {
  const names = [node.kind + ' ' + node.name];
  while (!node.group && !node.cols && node.kids.length === 1 && !node.kids[0].host && !node.kids[0].group && node.kids[0].kids.some(kid => !kid.host)) {
    node = node.kids[0];
    names.push(node.kind + ' ' + node.name);
  }
  return [names.join(' / '), node];
}

function box(outer) {
  if (outer.host)
    return hostCell(outer);
  const [place, node] = placeName(outer);
  const rack = node.kids.length && node.kids.every(kid => kid.host);
  const inner = el('div', {class: rack ? 'hosts' : 'boxes'}, node.kids.map(box), others(node));
  if (node.cols) {
    inner.classList.add('columns');
    inner.style.gridTemplateColumns = 'repeat(' + node.cols + ', minmax(0, auto))';
  }
  const empty = !node.kids.length;
  return el('div', {class: 'box ' + (rack ? 'rack' : empty ? 'rack empty' : 'place'), title: empty ? 'no host of this run' : null},
    node.group ? groupHead(node, rack ? node.name : place) : el('div', {class: 'head'}, el('span', {class: 'name'}, rack || empty ? node.name : place)),
    empty ? null : inner);
}

function legend() {
  const canvas = el('canvas', {width: '200', height: '10', role: 'img', 'aria-label': D.meta.full ? 'pale: empty; strong: full' : 'red below 100%, grey at 100%, blue above'});
  const top = D.meta.full ? 100 : 200;
  const paint = () => {
    const g = canvas.getContext('2d');
    for (let x = 0; x < 200; x++) {
      g.fillStyle = css(colour(x / 200 * top));
      g.fillRect(x, 0, 1, 10);
    }
  };
  paint();
  repaints.push(paint);
  const present = new Set([...HOSTS.map(hostState), ...FLOWS.map(f => stateOf(f.share))]);
  const marks = PLAN ? [] : [['short', 'below ' + trimmed(D.meta.short, 2) + '%'], ['fail', 'below ' + trimmed(D.meta.fail, 2) + '%'], ['above', 'above 105%'], ['none', 'not compared'], ['silent', 'never reported']].filter(([state]) => present.has(state));
  return el('div', {class: 'legend'}, el('span', {class: 'meaning'}, D.meta.full ? 'how full the NIC gets' : CHANGED ? 'after, of before' : 'median of its flows, of expectation'),
    el('span', {class: 'scale'}, canvas, el('span', {class: 'ends'}, el('span', {}, '0%'), D.meta.full ? null : el('span', {}, '100%'), el('span', {}, top + '%'))),
    marks.map(([state, text]) => el('span', {class: 'key'}, el('span', {class: 'state ' + state, 'aria-hidden': 'true'}, STATES[state].mark), text)),
    GROUPS.some(g => known(g.gbps)) && el('span', {class: 'key'}, el('span', {class: 'gauge', 'aria-hidden': 'true'}, el('span', {class: 'track sample'}, el('i'), PLAN ? null : el('b'))),
      PLAN ? 'how full the uplinks get' : 'uplinks: load, and a line where it is expected'));
}

function floorSection() {
  const floor = el('div', {class: 'floor ' + DENSITY, role: 'group', 'aria-label': 'The floor'}, floorTree().map(box));
  const cells = [...floor.querySelectorAll('button')];
  rove(cells, () => {
    const here = document.activeElement.getBoundingClientRect();
    const below = cells.findIndex(cell => cell.getBoundingClientRect().top > here.bottom - 1 && Math.abs(cell.getBoundingClientRect().left - here.left) < here.width);
    return Math.max(1, below - cells.indexOf(document.activeElement));
  });
  return section('floor', 'Floor', null, legend(), floor);
}
