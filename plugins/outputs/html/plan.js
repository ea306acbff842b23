// SPDX-License-Identifier: Apache-2.0
//
// The page of a plan: what is expected, what a change makes of it, what stops it.

STATES.short.word = 'less than before';
STATES.fail.word = 'nothing left';
STATES.above.word = 'more than before';
STATES.none.word = 'nothing expected';

const NOW = D.now, THEN = D.then || null, SHOWN = THEN || NOW;

function change(before, after) {
  const pct = (after / before - 1) * 100;
  return !known(pct) ? '–' : Math.abs(pct) < 0.005 ? 'no change' : (pct > 0 ? '+' : '') + fixed(pct, Math.abs(pct) < 10 ? 1 : 0) + '%';
}

function simpleTable(caption, heads, rows) {
  return el('div', {class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Table: ' + caption}, el('table', {}, el('caption', {class: 'hidden'}, caption),
    el('thead', {}, el('tr', {}, heads.map(([title, number]) => el('th', {scope: 'col', class: number ? 'number' : ''}, title)))),
    el('tbody', {}, rows.map(row => el('tr', {}, row.map((cell, i) => el(i ? 'td' : 'th', {scope: i ? null : 'row', class: heads[i][1] ? 'number' : ''}, cell)))))));
}

function whatIfSection() {
  if (!THEN)
    return null;
  const row = (name, key) => [name, rate(NOW[key]), rate(THEN[key]), change(NOW[key], THEN[key])];
  return section('what-if', 'What if', null, el('ul', {class: 'plain'}, D.meta.changes.map(text => el('li', {}, el('code', {}, text)))),
    simpleTable('Before and after', [['Figure', false], ['Before', true], ['After', true], ['Change', true]],
      [row('In all', 'total'), row('Lowest flow', 'lowest'), row('Highest flow', 'highest')]));
}

function upgradesSection() {
  if (!D.upgrades)
    return null;
  const gain = (added, now) => added ? (added < 0 ? '−' : '+') + rate(Math.abs(added)) + ' (' + change(now - added, now) + ')' : 'unchanged';
  const lines = D.upgrades.map(([what, total, added, worst, addedWorst]) => el('li', {}, el('code', {}, what), el('br'),
    'in all ' + gain(added, total) + '; lowest flow ' + gain(addedWorst, worst)));
  return section('upgrades', 'Upgrades', lines.length ? 'What adds most to the total first.' : 'No change of uplinks or of NIC speeds adds anything.',
    el('ol', {class: 'plain'}, lines));
}

function bottleneckList(side, title) {
  const lines = side.bottlenecks.map(([level, n, names, flows, capacity]) => el('li', {}, el('b', {}, rate(level)), ' each: ' + names.join(', ') +
    (n > names.length ? ' and ' + (n - names.length) + ' more' : '') + (n > 1 ? ' hold ' : ' holds ') + count(flows, 'flow') + (n > 1 ? ' each' : '') + ' (' + capacity + (n > 1 ? ' each)' : ')')));
  return el('div', {}, title && el('h3', {}, title), lines.length ? el('ol', {class: 'plain'}, lines) : el('p', {class: 'hint'}, 'No link stops a flow.'));
}

function bottlenecksSection() {
  return section('bottlenecks', 'Bottlenecks', 'In the order they fill.', THEN ? [bottleneckList(NOW, 'Before'), bottleneckList(THEN, 'After')] : bottleneckList(NOW));
}

function classesSection() {
  const range = (low, high) => !known(low) || high - low <= 1e-9 * high ? rate(low) : rate(low) + ' to ' + rate(high);
  const table = (side, when) => simpleTable('Flows by class' + when, [['Class' + when, false], ['Flows', true], ['Each', true], ['In all', true], ['Limit', false]],
    side.classes.map(([where, flows, low, high, total, limit]) => [where, String(flows), range(low, high), rate(total), limit]));
  return section('classes', 'Flows by class', null, el('div', {class: 'facts wide'}, THEN ? [table(NOW, ', before'), table(THEN, ', after')] : table(NOW, '')));
}

// ---- tables of hosts, flows, links ----

function expectedColumns() {
  return CHANGED ? [{title: 'Before', number: true, get: r => r.achieved, text: rate}, {title: 'After', number: true, get: r => r.expected, text: rate},
    {title: 'Change', number: true, get: r => known(r.share) ? r.share - 100 : null, text: (x, r) => change(r.achieved, r.expected)}] :
    [{title: 'Expected', number: true, get: r => r.expected, text: rate}];
}

function hostTable() {
  return makeTable('hosts', HOSTS, [
    {title: 'Host', head: true, get: h => h.name, pick: h => () => selectHost(h)},
    ...D.tiers.slice(0, 1).map(kind => ({title: title(kind), get: h => rackOf(h) ? rackOf(h).label : null})),
    ...expectedColumns(),
    ...(CHANGED ? [] : [{title: 'NIC used', number: true, get: h => h.share, text: percent1, hint: 'of the fuller way'}]),
    {title: 'NIC', number: true, get: h => h.nic, text: x => known(x) ? trimmed(x, 3) + ' Gb/s' : '–'},
    {title: 'Limit', get: h => limitText(h.limit, h.link)},
  ], {on: hostOn, sort: [(D.tiers.length ? 2 : 1) + (CHANGED ? 2 : 0), false], caption: 'hosts', noun: 'host', key: h => h.name});
}

function flowTable() {
  return makeTable('flows', FLOWS, [
    {title: 'From', head: true, get: f => HOSTS[f.src].name, pick: f => () => selectFlow(f)},
    {title: 'To', get: f => HOSTS[f.dst].name, pick: f => () => selectHost(HOSTS[f.dst])},
    ...expectedColumns(),
    {title: 'Limit', get: f => limitText(f.limit, f.link)},
  ], {on: flowOn, sort: [CHANGED ? 4 : 2, false], caption: 'flows', noun: D.rest ? 'listed flow' : 'flow', key: f => HOSTS[f.src].name + ' > ' + HOSTS[f.dst].name});
}

function linkTable() {
  return makeTable('links', LINKS, [
    {title: 'Link', head: true, get: linkName, pick: l => () => l.group ? selectGroup(l.group) : selectHost(HOSTS[l.owner])},
    {title: 'Capacity', number: true, get: l => l.capacity, text: (x, l) => linkRate(l, x)},
    {title: 'Expected', number: true, get: l => l.expected, text: (x, l) => linkRate(l, x)},
    {title: '%', number: true, get: l => l.expectedPct, text: percent1, hint: 'of its capacity'},
    {title: 'Flows', number: true, get: l => l.flows, text: whole},
    {title: 'Limits', number: true, get: l => l.limited, text: whole, hint: 'flows that it stops'},
  ], {on: linkOn, sort: [3, true], caption: 'links', noun: 'link', key: l => ['nic', 'pps', 'uplink'][l.kind] + ':' + (l.group ? l.group.path : HOSTS[l.owner].name) + ':' + (l.out ? 'out' : 'in')});
}

function restText() {
  const r = D.rest;
  return r ? (CHANGED ? 'Those that lose most' : 'The lowest ' + FLOWS.length) + ' are listed; the other ' + r.count + ' have ' + percent1(r.lowest) + ' to ' + percent1(r.highest) + ' ' + SHARE + '.' : null;
}

function planPage() {
  const stats = [stat('In all', rate(SHOWN.total), THEN ? change(NOW.total, THEN.total) : null), stat('Lowest flow', rate(SHOWN.lowest), THEN ? change(NOW.lowest, THEN.lowest) : null),
    stat('Highest flow', rate(SHOWN.highest), THEN ? change(NOW.highest, THEN.highest) : null), stat('Flows', String(SHOWN.flows), 'of ' + count(HOSTS.length, 'host'))];
  const floor = floorSection();
  const left = [whatIfSection(), upgradesSection(), bottlenecksSection()].filter(Boolean);
  const rest = [classesSection(), matrixSection(), section('hosts', 'Hosts', 'What each can send.', hostTable()), section('flows', 'Flows', restText(), flowTable()),
    section('links', 'Links', THEN ? 'After the change.' : null, linkTable()), histogramSection(),
    section('hardware', 'Assumptions', null, el('div', {class: 'facts'}, sentences('Assumed', D.assumptions), sentences('Notes', D.notes)))];
  const says = el('section', {class: 'verdict', 'aria-label': 'Expected', id: 'verdict'}, el('div', {class: 'says'},
    el('div', {}, THEN ? [el('p', {}, el('b', {}, 'Before: '), NOW.text + '.'), el('p', {}, el('b', {}, 'After: '), THEN.text + '.')] : el('p', {}, NOW.text + '.'))), el('dl', {class: 'stats'}, stats));
  put(document.body, [header('reckon plan', [...left, floor, ...rest]), el('main', {}, says,
    beside(el('div', {class: 'stack'}, left), floor), rest), footer(), selectionBar(selectionDescription), label]);
  repaint();
}

planPage();
