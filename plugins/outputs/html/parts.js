// SPDX-License-Identifier: Apache-2.0
//
// Parts that every page is put together from: header, navigation, verdict, findings, sections, facts, and the bar that
// says what is selected.

function section(id, title, hint, ...kids) {
  return el('section', {id, 'aria-labelledby': id + '-title'},
    el('div', {class: 'head'}, el('h2', {id: id + '-title'}, title), hint && el('p', {class: 'hint'}, hint)), ...kids);
}

// Two sections side by side; where there are many hosts the floor gets more of the room.
function beside(left, right) {
  return el('div', {class: 'pair-of-sections' + (HOSTS.length > 80 ? ' many' : '')}, left, right);
}

function stat(name, value, note) {
  return el('div', {class: 'stat'}, el('dt', {}, name), el('dd', {}, value, note && el('small', {}, note)));
}

function badge(severity) {
  const mark = {CRITICAL: '✕', WARN: '▼', INFO: 'i', OK: '✓'}[severity];
  return el('span', {class: 'badge ' + severity.toLowerCase()}, el('span', {class: 'mark', 'aria-hidden': 'true'}, mark), severity);
}

function header(title, sections) {
  const links = sections.map(s => el('a', {href: '#' + s.id}, s.querySelector('h2').textContent));
  return el('header', {class: 'top'},
    el('div', {class: 'title'}, el('h1', {}, title, D.meta.label && el('span', {class: 'label'}, D.meta.label)),
      el('p', {}, [D.meta.describe, D.meta.layout, date(D.meta.ts)].filter(Boolean).join(' · '))),
    el('nav', {'aria-label': 'Sections'}, links));
}

function verdict(stats) {
  const v = D.verdict, found = D.findings.some(f => f.severity !== 'INFO' && !f.known);
  const severity = v && v.rule_id && found ? v.severity : v && v.severity !== 'INFO' ? v.severity : 'OK';
  return el('section', {class: 'verdict ' + severity.toLowerCase(), 'aria-label': 'Verdict', id: 'verdict'},
    el('div', {class: 'says'}, badge(severity), el('p', {}, v ? v.text : 'No rule gave a verdict.')),
    el('dl', {class: 'stats'}, stats));
}

// A sentence of the report: what stands in backticks is to be typed.
function prose(text) {
  return text.split('`').map((part, i) => i % 2 ? el('code', {}, part) : part);
}

// ---- findings ----

// The hosts a finding is about: its own, else those that its sentence names, by themselves or by their group.
function hostsOf(finding) {
  const own = hostNamed.get(finding.host);
  if (own !== undefined)
    return [own];
  const words = new Set(finding.detail.split(/[\s,;:()'"]+/)), hosts = new Set();
  for (const [name, host] of hostNamed)
    if (words.has(name))
      hosts.add(host);
  for (const group of GROUPS)
    if (words.has(group.label))
      for (const host of group.hosts)
        hosts.add(host);
  return [...hosts];
}

function finding(f, i) {
  const hosts = hostsOf(f), key = 'finding ' + i, id = 'finding-' + i;
  const button = hosts.length ? el('button', {type: 'button', class: 'pick', 'aria-pressed': 'false', 'aria-describedby': id,
    onclick: () => select(key, f.title + ', ' + (f.host === '*' ? count(hosts.length, 'host') : f.host), hosts)},
    'Show ' + (f.host === '*' ? count(hosts.length, 'host') : f.host)) : null;
  const card = el('li', {class: 'finding ' + f.severity.toLowerCase()},
    el('div', {class: 'row'}, badge(f.severity), el('h3', {}, f.title), f.known && el('span', {class: 'known'}, 'known'), button),
    el('p', {id}, prose(f.detail)), f.fix && el('p', {class: 'fix'}, el('b', {}, 'Next: '), prose(f.fix)));
  followers.push(() => {
    card.classList.toggle('on', selection.key === key);
    if (button)
      button.setAttribute('aria-pressed', String(selection.key === key));
  });
  return card;
}

// Lesser findings and those past the first few wait behind a fold.
function findings() {
  const cards = D.findings.map(finding);
  const first = cards.slice(0, 4), rest = cards.slice(4);
  return section('findings', 'Findings', D.findings.length ? null : 'No rule found anything wrong.',
    el('ul', {class: 'findings'}, first),
    rest.length ? el('details', {}, el('summary', {}, count(rest.length, 'further finding')), el('ul', {class: 'findings'}, rest)) : null);
}

// ---- facts ----

function sentences(title, list) {
  return list && list.length ? el('div', {}, el('h3', {}, title), el('ul', {class: 'plain'}, list.map(text => el('li', {}, text)))) : null;
}

function skippedRules() {
  return D.skipped && D.skipped.length ? el('details', {}, el('summary', {}, count(D.skipped.length, 'rule') + ' not asked'),
    el('ul', {class: 'plain'}, D.skipped.map(s => el('li', {}, el('code', {}, s.rule_id), ' ' + s.reason)))) : null;
}

// ---- the bar that says what is selected ----

function selectionBar(describe) {
  const text = el('span', {role: 'status'});
  const bar = el('div', {id: 'selected', hidden: true}, text,
    el('button', {type: 'button', onclick: clearSelection}, 'Clear', el('kbd', {}, 'Esc')));
  followers.push(() => {
    bar.hidden = !selected();
    text.textContent = selected() ? selection.text + describe() : '';
  });
  return bar;
}

function footer() {
  return el('footer', {}, 'Written by reckon ' + D.meta.version + '. Blank (–) means not measured.');
}
