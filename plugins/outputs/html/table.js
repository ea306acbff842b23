// SPDX-License-Identifier: Apache-2.0
//
// Tables that can be sorted, filtered and read by keyboard. What is selected comes first and is marked.

const PAGE = 25;

// columns: {title, get(row), text(value, row), number, pick(row), hint}; get gives what is sorted by, text what is shown.
// options: {on(row), short(row), sort: [column, descending], caption, plain: nothing to filter}.
function makeTable(id, rows, columns, options) {
  let [by, down] = options.sort, shown = PAGE;
  const texts = new Map();
  const textOf = row => {
    if (!texts.has(row))
      texts.set(row, columns.map(c => cellText(c, row)).join(' ').toLowerCase());
    return texts.get(row);
  };

  const filter = el('input', {type: 'search', id: id + '-filter', placeholder: 'Filter', autocomplete: 'off', spellcheck: 'false', oninput: restart});
  const only = options.short && el('input', {type: 'checkbox', id: id + '-short', onchange: restart});
  const status = el('span', {class: 'count', role: 'status'});
  const more = el('button', {type: 'button', class: 'more', onclick: () => { shown *= 4; draw(); }});
  const heads = columns.map((c, i) => el('th', {scope: 'col', class: c.number ? 'number' : ''},
    el('button', {type: 'button', title: c.hint, onclick: () => sortBy(i)}, c.title, el('span', {class: 'arrow', 'aria-hidden': 'true'}))));
  const body = el('tbody');

  function sortBy(i) {
    down = by === i ? !down : Boolean(columns[i].number);
    by = i;
    draw();
  }

  function restart() {
    shown = PAGE;
    draw();
  }

  function compare(a, b) {
    const x = columns[by].get(a), y = columns[by].get(b);
    const nx = x === null || x === undefined || x === '', ny = y === null || y === undefined || y === '';
    if (nx || ny)
      return nx - ny;
    const order = typeof x === 'number' ? x - y : x < y ? -1 : x > y ? 1 : 0;
    return down ? -order : order;
  }

  function matching() {
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    return rows.filter(row => (!only || !only.checked || options.short(row)) && words.every(word => textOf(row).includes(word)));
  }

  function cell(c, row) {
    const text = cellText(c, row), pick = c.pick && c.pick(row);
    const inner = pick ? el('button', {type: 'button', class: 'name', onclick: pick}, text) : text;
    return el(c.head ? 'th' : 'td', {class: c.number ? 'number' : '', scope: c.head ? 'row' : null}, c.mark && mark(c.mark(row)), inner);
  }

  function draw() {
    const list = matching().sort(compare), on = selected() ? list.filter(options.on) : [];
    const chosen = new Set(on), all = on.concat(list.filter(row => !chosen.has(row)));
    heads.forEach((head, i) => {
      head.setAttribute('aria-sort', i === by ? down ? 'descending' : 'ascending' : 'none');
      head.querySelector('.arrow').textContent = i === by ? down ? '↓' : '↑' : '';
    });
    body.replaceChildren(...all.slice(0, shown).map(row =>
      el('tr', {class: chosen.has(row) ? 'on' : '', 'data-row': options.key(row)}, columns.map(c => cell(c, row)))));
    status.textContent = (list.length < rows.length ? list.length + ' of ' : '') + count(rows.length, options.noun) +
      (on.length ? ', ' + on.length + ' selected' : '');
    more.hidden = all.length <= shown;
    more.textContent = 'Show ' + Math.min(3 * shown, all.length - shown) + ' more of ' + (all.length - shown);
  }

  followers.push(draw);
  draw();
  return el('div', {class: 'sheet', id: id + '-sheet'},
    !options.plain && el('div', {class: 'tools'}, el('label', {for: id + '-filter', class: 'hidden'}, 'Filter ' + options.caption), filter,
      only && el('label', {class: 'check'}, only, ' only short ones'), status),
    el('div', {class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Table of ' + options.caption},
      el('table', {}, el('caption', {class: 'hidden'}, options.caption), el('thead', {}, el('tr', {}, heads)), body)),
    more);
}

function cellText(c, row) {
  const value = c.get(row);
  return c.text ? c.text(value, row) : value === null || value === undefined ? '–' : String(value);
}

function mark(state) {
  return el('span', {class: 'state ' + state, title: STATES[state].word}, STATES[state].mark);
}
