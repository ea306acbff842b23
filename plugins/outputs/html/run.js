// SPDX-License-Identifier: Apache-2.0
//
// The page of a run.

const hasBaseline = Boolean(D.baseline);

function sinceColumns(get) {
  return hasBaseline ? [{title: 'Then', number: true, get: r => get(r).then, text: percent1, hint: 'in the baseline'},
                        {title: 'Change', number: true, get: r => get(r).change, text: points, hint: 'now less then'}] : [];
}

function hostTable() {
  const same = host => host;
  return makeTable('hosts', HOSTS, [
    {title: 'Host', head: true, get: h => h.name, pick: h => () => selectHost(h), mark: hostState},
    ...D.tiers.slice(0, 1).map(kind => ({title: title(kind), get: h => rackOf(h) ? rackOf(h).label : null})),
    {title: 'Median', number: true, get: h => h.share, text: percent1, hint: 'of the efficiencies of its flows, sent and received'},
    ...sinceColumns(same),
    {title: 'Expected', number: true, get: h => h.expected, text: rate},
    {title: 'Achieved', number: true, get: h => h.achieved, text: rate},
    {title: 'Flows', number: true, get: h => h.compared, text: whole, hint: 'compared'},
    {title: 'Short', number: true, get: h => h.short, text: whole},
    ...(D.meta.idle ? [{title: 'Added RTT', number: true, get: h => h.added, text: time}] : []),
    {title: 'NIC', number: true, get: h => h.nic, text: x => known(x) ? trimmed(x, 3) + ' Gb/s' : '–'},
    {title: 'Limit', get: h => limitText(h.limit, h.link)},
    {title: 'Verdict', get: h => h.verdict, text: v => v || '–'},
  ], {on: hostOn, short: h => h.share < D.meta.short, sort: [D.tiers.length ? 2 : 1, false], caption: 'hosts', noun: 'host', key: h => h.name});
}

function flowTable() {
  const same = f => f, layers = D.layers.length > 0, loss = FLOWS.some(f => known(f.loss)), paced = FLOWS.some(f => known(f.demand));
  const columns = [
    {title: 'From', head: true, get: f => HOSTS[f.src].name, pick: f => () => selectFlow(f), mark: f => stateOf(f.share)},
    {title: 'To', get: f => HOSTS[f.dst].name, pick: f => () => selectHost(HOSTS[f.dst])},
    ...(layers ? [{title: 'Layer', get: f => f.layer}] : []),
    {title: 'Efficiency', number: true, get: f => f.share, text: percent1},
    ...sinceColumns(same),
    {title: 'Expected', number: true, get: f => f.expected, text: rate},
    {title: 'Achieved', number: true, get: f => f.achieved, text: rate},
    ...(paced ? [{title: 'Target', number: true, get: f => f.demand, text: rate}] : []),
    ...(loss ? [{title: 'Loss', number: true, get: f => f.loss, text: percent1}] : []),
    ...(D.meta.idle ? [{title: 'RTT p50', number: true, get: f => f.rtt, text: time}, {title: 'Idle', number: true, get: f => f.idle, text: time},
                       {title: 'Added', number: true, get: f => f.added, text: time}] : []),
    {title: 'Limit', get: f => limitText(f.limit, f.link)},
  ];
  return makeTable('flows', FLOWS, columns, {on: flowOn, short: f => f.share < D.meta.short, sort: [columns.findIndex(c => c.title === 'Efficiency'), false],
    caption: 'flows', noun: D.rest ? 'listed flow' : 'flow', key: f => HOSTS[f.src].name + ' > ' + HOSTS[f.dst].name + (f.layer ? ' / ' + f.layer : '')});
}

function linkTable() {
  return makeTable('links', LINKS, [
    {title: 'Link', head: true, get: linkName, pick: l => () => l.group ? selectGroup(l.group) : selectHost(HOSTS[l.owner])},
    {title: 'Capacity', number: true, get: l => l.capacity, text: (x, l) => linkRate(l, x)},
    {title: 'Expected', number: true, get: l => l.expected, text: (x, l) => linkRate(l, x)},
    {title: '%', number: true, get: l => l.expectedPct, text: percent1, hint: 'expected, of its capacity'},
    {title: 'Achieved', number: true, get: l => l.achieved, text: (x, l) => linkRate(l, x)},
    {title: '%', number: true, get: l => l.achievedPct, text: percent1, hint: 'achieved, of its capacity'},
    {title: 'Flows', number: true, get: l => l.flows, text: whole, hint: 'that cross it'},
    {title: 'Limits', number: true, get: l => l.limited, text: whole, hint: 'flows that it stops'},
  ], {on: linkOn, sort: [5, true], caption: 'links', noun: 'link', key: l => ['nic', 'pps', 'uplink'][l.kind] + ':' + (l.group ? l.group.path : HOSTS[l.owner].name) + ':' + (l.out ? 'out' : 'in')});
}

function restText() {
  const r = D.rest;
  return r ? 'The worst ' + FLOWS.length + ' are listed. The other ' + r.count + ' reach ' + percent1(r.lowest) + ' to ' + percent1(r.highest) +
    ', ' + percent1(r.median) + ' in the median; matrix and histogram count all.' : null;
}

function hardwareSection() {
  const speeds = new Map(), sources = new Map();
  for (const h of HOSTS) {
    const speed = known(h.nic) ? trimmed(h.nic, 3) + ' Gb/s' : 'no NIC speed';
    speeds.set(speed, (speeds.get(speed) || 0) + 1);
    if (h.source)
      sources.set(h.source, (sources.get(h.source) || 0) + 1);
  }
  const uplinks = new Map();
  for (const g of GROUPS) {
    const text = g.kind + ', ' + (known(g.uplinks) ? trimmed(g.uplinks, 3) + ' × ' + trimmed(g.gbps, 3) + ' Gb/s of uplinks' : 'no uplinks declared');
    uplinks.set(text, (uplinks.get(text) || 0) + 1);
  }
  const SOURCE = {layout: 'from the layout', measured: 'measured', flag: 'from --nic-gbps'};
  const list = (title, map) => map.size ? el('div', {}, el('h3', {}, title), el('ul', {class: 'plain'}, [...map].sort((a, b) => b[1] - a[1]).slice(0, 12).map(([text, n]) => el('li', {}, n + ' × ' + text)))) : null;
  return section('hardware', 'Hardware', 'What the run was held against.', el('div', {class: 'facts'},
    list('NIC speeds', speeds), list('Where they are from', new Map([...sources].map(([s, n]) => [SOURCE[s] || s, n]))), list('Groups', uplinks),
    sentences('Assumed', D.assumptions), sentences('Notes', D.notes)), skippedRules());
}

function baselineText() {
  const b = D.baseline;
  return b ? el('p', {class: 'baseline'}, el('b', {}, 'Since ' + b.since + ': '),
    b.both + ' hosts in both, median ' + percent(b.then) + ' then and ' + percent(b.now) + ' now; ' + b.fell + ' fell and ' + b.rose + ' rose by ' +
    trimmed(D.meta.drop, 3) + ' points or more' + (b.missing.length ? '; not in this run: ' + b.missing.slice(0, 6).join(', ') + (b.missing.length > 6 ? ' and ' + (b.missing.length - 6) + ' more' : '') : '') +
    (b.nic_changed ? '; ' + count(b.nic_changed, 'host') + ' modelled at another NIC speed' : '')) : null;
}

function runPage() {
  const t = D.totals, worst = HOSTS.filter(h => known(h.share)).length;
  const stats = [
    stat('Median host', percent(t.median), 'of ' + worst + ' compared'),
    t.together ? stat('Achieved', rate(t.achieved), percent(t.achieved / t.expected * 100) + ' of ' + rate(t.expected)) :
      stat('Achieved', percent(t.achieved / t.expected * 100), 'of expected, rate-weighted'),
    stat('Flows', String(t.compared), 'of ' + t.flows + ' compared'),
    stat('Hosts', String(HOSTS.length), GROUPS.length ? 'in ' + count(GROUPS.filter(g => !g.tier).length, D.tiers[0]) : null)];
  const found = findings(), floor = floorSection(), matrix = matrixSection();
  const sections = [found, floor, matrix, section('hosts', 'Hosts', null, hostTable()), section('flows', 'Flows', restText(), flowTable()),
    section('links', 'Links', null, linkTable()), histogramSection(), hardwareSection()];
  put(document.body, [header('reckon', sections), el('main', {}, verdict(stats), baselineText(),
    beside(sections[0], sections[1]), sections.slice(2)), footer(), selectionBar(selectionDescription), label]);
  repaint();
}

runPage();
