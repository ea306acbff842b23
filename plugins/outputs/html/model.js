// SPDX-License-Identifier: Apache-2.0
//
// The rows of the data as objects: hosts, groups, links, flows, and what the label says of each.

const LIMITS = ['', 'TARGET', 'NIC', 'NIC_PPS', 'UPLINK', 'UNBOUNDED', 'UNMODELLED'];
const LINK_LIMITS = ['NIC', 'NIC_PPS', 'UPLINK'];
const LIMIT_TEXT = {TARGET: 'its target', UNBOUNDED: 'nothing declared', UNMODELLED: 'not modelled'};
const PLAN = D.meta.kind === 'plan', CHANGED = PLAN && D.meta.changed;

const HOSTS = D.hosts.map(([name, groups, expected, achieved, share, compared, short, added, then, change, nic, mpps, limit, link, verdict, source], i) =>
  ({i, name, groups, expected, achieved, share, compared, short, added, then, change, nic, mpps, limit, link, verdict, source}));
const GROUPS = D.groups.map(([tier, path, label, uplinks, gbps], i) =>
  ({i, tier, path, label, uplinks, gbps, kind: D.tiers[tier], hosts: []}));
for (const host of HOSTS)
  for (const g of host.groups)
    if (g >= 0)
      GROUPS[g].hosts.push(host.i);
const hostNamed = new Map(HOSTS.map(host => [host.name, host.i]));

// `id` is the link's number in the comparison, by which flows name what limits them.
const LINKS = D.links.map(([kind, owner, out, capacity, expected, achieved, flows, limited, id]) =>
  ({kind, owner, out: out === 1, capacity, expected, achieved, flows, limited, id}));
const linkById = new Map(LINKS.map(link => [link.id, link]));
const linksOf = {host: HOSTS.map(() => []), group: GROUPS.map(() => [])};
const shareOf = (x, capacity) => known(x) && known(capacity) ? x / capacity * 100 : null;
for (const link of LINKS) {
  link.group = link.kind === 2 ? GROUPS[link.owner] : null;
  link.expectedPct = shareOf(link.expected, link.capacity);
  link.achievedPct = shareOf(link.achieved, link.capacity);
  (link.group ? linksOf.group : linksOf.host)[link.owner].push(link);
}

// Expected rates and targets are few: flows name them by their place in D.rates. What limits a flow is a link, or, below
// 0, a word.
function makeFlow([src, dst, expectedAt, achieved, on, layerAt, demandAt, loss, rtt, idle, then], i) {
  const rateAt = at => at === undefined || at < 0 ? null : D.rates[at];
  const expected = rateAt(expectedAt), link = linkById.get(on);
  const share = !known(expected) ? null : CHANGED ? expected / achieved * 100 : PLAN ? expected / D.meta.highest * 100 : known(achieved) ? achieved / expected * 100 : null;
  return {i, src, dst, expected, achieved, share, link: link ? on : -1, limit: link ? LINK_LIMITS[link.kind] : LIMITS[-on - 1], layer: layerAt >= 0 ? D.layers[layerAt] : '',
          demand: rateAt(demandAt), loss, rtt, idle, added: known(rtt) && known(idle) ? rtt - idle : null, then, change: known(then) && known(share) ? share - then : null};
}
const FLOWS = (D.flows || []).map(makeFlow);

// ---- words ----

const linkRate = (link, x) => link.kind === 1 ? rateIn(x, 'pps') : rateIn(known(x) ? x / 1e6 : null, 'Mb/s');
const linkName = link => (link.group ? link.group.label + ' uplinks' : HOSTS[link.owner].name + (link.kind ? ' packet rate' : ' NIC')) + (link.out ? ' out' : ' in');

// As the report says what limits a flow or host.
function limitText(limit, id) {
  const link = linkById.get(id);
  if (!link)
    return LIMIT_TEXT[limit] || '–';
  const way = link.out ? ' out' : ' in', name = link.group ? '' : HOSTS[link.owner].name;
  if (link.group)
    return link.group.label + ' uplinks' + way;
  return name + (link.kind ? ' NIC packet rate' : ' NIC ' + trimmed(HOSTS[link.owner].nic, 2) + ' Gb/s') + way;
}

const flowName = f => HOSTS[f.src].name + ' → ' + HOSTS[f.dst].name + (f.layer ? ', layer ' + f.layer : '');
const rackOf = host => host.groups.length && host.groups[0] >= 0 ? GROUPS[host.groups[0]] : null;

const title = word => word[0].toUpperCase() + word.slice(1);

// What a share is called on this page.
const SHARE = CHANGED ? 'after, of before' : PLAN ? 'of the highest' : 'of expectation';

function hostState(host) {
  if (PLAN && !CHANGED)
    return known(host.share) ? 'ok' : 'none';
  return host.verdict === 'NO-DATA' && !PLAN ? 'silent' : stateOf(host.share);
}

function hostLines(host) {
  const rack = rackOf(host), links = linksOf.host[host.i].filter(link => link.kind === 0);
  const state = hostState(host);
  return [host.name + (rack ? ', ' + rack.kind + ' ' + rack.label : ''),
    [PLAN ? CHANGED ? 'after, of before' : 'NIC used' : 'median of its flows', percent1(host.share) + (state === 'ok' || PLAN ? '' : ' ' + STATES[state].word)],
    [CHANGED ? 'after' : 'expected', rate(host.expected)],
    !PLAN && ['achieved', rate(host.achieved)],
    CHANGED && ['before', rate(host.achieved)],
    known(host.then) && ['then', percent1(host.then) + ', ' + points(host.change)],
    known(host.added) && ['added RTT', time(host.added)],
    !PLAN && ['flows', host.compared + ' compared, ' + host.short + ' short'],
    ['limit', limitText(host.limit, host.link)],
    ['NIC', known(host.nic) ? trimmed(host.nic, 3) + ' Gb/s' + (host.source ? ', ' + host.source : '') : 'speed not known'],
    ...links.map(link => ['NIC ' + (link.out ? 'out' : 'in'), loadText(link)]),
    host.verdict && ['verdict', host.verdict]];
}

// "9.80 Gb/s, 98% (10.00 Gb/s, 100% expected)".
function loadText(link) {
  const expected = linkRate(link, link.expected) + (known(link.expectedPct) ? ', ' + percent(link.expectedPct) : '');
  if (PLAN)
    return expected;
  return linkRate(link, link.achieved) + (known(link.achievedPct) ? ', ' + percent(link.achievedPct) : '') + ' (' + expected + ' expected)';
}

function groupLines(group) {
  return [group.kind + ' ' + group.label,
    ['hosts here', String(group.hosts.length)],
    ['uplinks', known(group.uplinks) ? trimmed(group.uplinks, 3) + ' × ' + trimmed(group.gbps, 3) + ' Gb/s' : 'none declared'],
    ...linksOf.group[group.i].map(link => [link.out ? 'out' : 'in', loadText(link)]),
    ...linksOf.group[group.i].map(link => ['limits, ' + (link.out ? 'out' : 'in'), count(link.limited, 'flow')])];
}

function flowLines(f) {
  return [flowName(f),
    [SHARE, percent1(f.share)],
    [CHANGED ? 'after' : 'expected', rate(f.expected)],
    !PLAN && ['achieved', rate(f.achieved)],
    CHANGED && ['before', rate(f.achieved)],
    known(f.then) && ['then', percent1(f.then) + ', ' + points(f.change)],
    known(f.loss) && ['lost', percent1(f.loss)],
    known(f.rtt) && ['RTT p50', time(f.rtt) + (known(f.idle) ? ', idle ' + time(f.idle) : '')],
    ['limit', limitText(f.limit, f.link)]];
}

// ---- what is selected ----

const selectHost = host => select('host ' + host.i, host.name, [host.i]);
const selectFlow = f => select('flow ' + f.src + ' ' + f.dst, flowName(f), [f.src, f.dst], [f.src, f.dst]);
const selectGroup = group => select('group ' + group.i, group.kind + ' ' + group.label, group.hosts);

const hostOn = host => selection.hosts.has(host.i);
const flowOn = f => selection.pair ? f.src === selection.pair[0] && f.dst === selection.pair[1] : selection.hosts.has(f.src) || selection.hosts.has(f.dst);

// A flow's own links, or those of the hosts and of the groups they are in.
function linkOn(link) {
  if (!selection.pair)
    return link.group ? link.group.hosts.some(h => selection.hosts.has(h)) : selection.hosts.has(link.owner);
  const [src, dst] = selection.pair.map(i => HOSTS[i]);
  if (!link.group)
    return link.owner === (link.out ? src : dst).i;
  const tier = link.group.tier, from = src.groups[tier], to = dst.groups[tier];
  return from !== to && link.owner === (link.out ? from : to);
}

function selectionDescription() {
  const flows = FLOWS.filter(flowOn).length, links = LINKS.filter(linkOn).length;
  const hosts = selection.hosts.size === 1 ? HOSTS[[...selection.hosts][0]] : null;
  return (hosts && known(hosts.share) ? ', ' + percent1(hosts.share) + ' ' + (PLAN && !CHANGED ? 'of its NIC' : SHARE) : '') +
    ': ' + count(flows, 'flow') + (D.rest ? ' of those listed' : '') + ', ' + count(links, 'link');
}
