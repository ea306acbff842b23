// SPDX-License-Identifier: Apache-2.0
//
// The matrix of flows: rows send, columns receive, so that a sick sender is a row and a sick receiver a column. Drawn
// on a canvas; the pointer and the arrow keys read it out cell by cell.

const NO_FLOW = undefined;

// Rows of cells from their short form (page_matrix.c); a cell is a number, null (not compared) or NO_FLOW.
function unpack(rows, n) {
  return rows.map(row => {
    const cells = new Array(n).fill(NO_FLOW);
    let at = 0;
    for (const x of row)
      if (x !== null && x < 0)
        at = -x - 1;
      else
        cells[at++] = x === null ? null : x / 10;
    return cells;
  });
}

// What stands in a row and column: one host, a group of them, or a stretch of names.
function makeBlocks() {
  const m = D.matrix, blocks = Array.from({length: m.count}, () => ({hosts: []}));
  HOSTS.forEach((host, i) => blocks[m.hosts ? i : m.of[i]].hosts.push(host));
  const tier = m.by === null ? -1 : D.tiers.indexOf(m.by);
  for (const block of blocks) {
    const first = block.hosts[0], group = tier >= 0 && first && first.groups[tier] >= 0 ? GROUPS[first.groups[tier]] : null;
    block.rack = first ? rackOf(first) : null;
    block.name = group ? group.label : m.hosts ? first.name : tier >= 0 ? 'no ' + m.by : first.name + ' … ' + block.hosts[block.hosts.length - 1].name;
  }
  return blocks;
}

function matrixSection() {
  const by = D.matrix.by, single = D.matrix.hosts;
  const blocks = makeBlocks(), n = blocks.length;
  const lowest = unpack(D.matrix.lowest, n), median = single ? lowest : unpack(D.matrix.median, n);
  const listed = new Map();
  for (const f of FLOWS)
    if (single && !listed.has(f.src * n + f.dst))
      listed.set(f.src * n + f.dst, f);
  // by rack, so that what a rack has in common stands together
  const order = blocks.map((_, i) => i);
  if (single)
    order.sort((a, b) => (blocks[a].rack ? blocks[a].rack.i : 1e9) - (blocks[b].rack ? blocks[b].rack.i : 1e9) || a - b);
  const at = {row: -1, column: -1};
  const canvas = el('canvas', {id: 'cells', tabindex: '0', role: 'application', 'aria-describedby': 'cell',
    'aria-label': 'Matrix of flows: rows send, columns receive; the arrow keys go from cell to cell, Enter selects one'});
  const readout = el('div', {id: 'cell', role: 'status'}, el('p', {class: 'hint'}, 'Point at a cell, or go there with the arrow keys.'));
  const around = el('div', {class: 'matrix'}, el('div', {class: 'canvas'}, canvas), el('div', {class: 'side'}, readout));
  let size = 8, left = 40, top = 40;

  function measure() {
    const longest = Math.max(...blocks.map(b => b.name.length)), room = Math.max(240, Math.min(980, around.clientWidth - (around.clientWidth > 700 ? 330 : 0)));
    const names = Math.min(150, 14 + longest * 6.5);
    size = Math.floor((room - names) / n);
    size = Math.max(1.5, Math.min(40, size < 3 ? Math.floor((room - 48) / n * 4) / 4 : size));
    left = top = size >= 11 ? names : 48;
  }

  // ---- drawing ----

  function draw() {
    measure();
    const style = getComputedStyle(document.documentElement), ink = style.getPropertyValue('--ink'), soft = style.getPropertyValue('--soft'), rule = style.getPropertyValue('--rule');
    const w = Math.ceil(left + n * size + 2), h = Math.ceil(top + n * size + 2), ratio = devicePixelRatio || 1;
    canvas.width = w * ratio;
    canvas.height = h * ratio;
    canvas.style.width = w + 'px';
    canvas.style.height = h + 'px';
    const g = canvas.getContext('2d');
    g.scale(ratio, ratio);
    g.clearRect(0, 0, w, h);
    g.font = '11px system-ui, sans-serif';
    drawNames(g, ink, soft, rule);
    for (let r = 0; r < n; r++)
      for (let c = 0; c < n; c++)
        drawCell(g, left + c * size, top + r * size, median[order[r]][order[c]]);
    drawSelection(g, ink);
    g.strokeStyle = ink;
    g.lineWidth = 2;
    if (at.row >= 0)
      g.strokeRect(left + at.column * size - 0.5, top + at.row * size - 0.5, size + 1, size + 1);
  }

  function drawNames(g, ink, soft, rule) {
    const each = size >= 11;
    g.textBaseline = 'middle';
    const names = each ? order.map((b, i) => [blocks[b].name, i, 1]) : bands();
    for (const [name, from, many] of names) {
      const middle = (from + many / 2) * size, space = left - 8;
      if (!each && many * size < 9)
        continue;
      g.fillStyle = selectedBlock(from) ? ink : soft;
      g.textAlign = 'right';
      g.fillText(fit(g, name, space), left - 5, top + middle);
      g.save();
      g.translate(left + middle, top - 5);
      g.rotate(-Math.PI / 2);
      g.textAlign = 'left';
      g.fillText(fit(g, name, space), 0, 0);
      g.restore();
    }
    g.fillStyle = rule;
    for (const [, from] of bands().slice(1)) {
      g.fillRect(left + from * size - 0.5, top - 4, 1, n * size + 4);
      g.fillRect(left - 4, top + from * size - 0.5, n * size + 4, 1);
    }
    g.strokeStyle = rule;
    g.lineWidth = 1;
    g.strokeRect(left - 0.5, top - 0.5, n * size + 1, n * size + 1);
  }

  // A name that is too long ends in dots.
  function fit(g, name, space) {
    let length = name.length;
    while (length > 1 && g.measureText(name.slice(0, length) + (length < name.length ? '…' : '')).width > space)
      length = Math.floor(length * 0.9);
    return length < name.length ? name.slice(0, length) + '…' : name;
  }

  // Stretches of one rack: [its label, the first place, how many].
  function bands() {
    const all = [];
    order.forEach((b, i) => {
      const label = single ? blocks[b].rack ? blocks[b].rack.label : '' : blocks[b].name;
      const last = all[all.length - 1];
      if (single && last && last[0] === label)
        last[2]++;
      else
        all.push([label, i, 1]);
    });
    return all;
  }

  // The worse it is the more of its cell a flow fills, and it gets a mark where there is room for one.
  function drawCell(g, x, y, share) {
    if (share === NO_FLOW)
      return;
    const state = D.meta.full ? 'ok' : stateOf(share), rgb = known(share) ? colour(share) : null;
    const gap = state === 'ok' && size >= 3 ? 1 : size >= 5 ? 0.5 : 0, side = size - 2 * gap;
    g.fillStyle = g.strokeStyle = rgb ? css(rgb) : 'rgba(128, 128, 128, 0.25)';
    g.fillRect(x + gap, y + gap, side, side);
    if (size < 6 || (state === 'ok' && size < 26))
      return;
    g.fillStyle = g.strokeStyle = rgb ? inkOn(rgb) : '#777';
    g.lineWidth = 1.2;
    if (size >= 26) {
      g.textAlign = 'center';
      g.textBaseline = 'middle';
      g.fillText(known(share) ? fixed(share, 0) : '?', x + size / 2, y + size / 2 + 0.5);
    } else if (state === 'fail') {
      const a = size * 0.3, b = size * 0.7;
      g.beginPath();
      g.moveTo(x + a, y + a); g.lineTo(x + b, y + b);
      g.moveTo(x + b, y + a); g.lineTo(x + a, y + b);
      g.stroke();
    } else {
      const up = state === 'above', base = y + size * (up ? 0.65 : 0.35), tip = y + size * (up ? 0.3 : 0.7);
      g.beginPath();
      g.moveTo(x + size * 0.28, base); g.lineTo(x + size * 0.72, base); g.lineTo(x + size / 2, tip);
      g.fill();
    }
  }

  const selectedBlock = i => selected() && blocks[order[i]].hosts.some(hostOn);

  function drawSelection(g, ink) {
    if (!selected())
      return;
    g.strokeStyle = ink;
    g.lineWidth = 1.5;
    for (let i = 0; i < n; i++) {
      if (!selectedBlock(i))
        continue;
      const sends = !selection.pair || blocks[order[i]].hosts.some(host => host.i === selection.pair[0]);
      const receives = !selection.pair || blocks[order[i]].hosts.some(host => host.i === selection.pair[1]);
      if (sends)
        g.strokeRect(left - 0.5, top + i * size - 0.5, n * size + 1, size + 1);
      if (receives)
        g.strokeRect(left + i * size - 0.5, top - 0.5, size + 1, n * size + 1);
    }
  }

  // ---- reading out ----

  function go(row, column) {
    at.row = Math.max(0, Math.min(n - 1, row));
    at.column = Math.max(0, Math.min(n - 1, column));
    readout.replaceChildren(...cellLines());
    draw();
  }

  function cellLines() {
    const r = order[at.row], c = order[at.column], low = lowest[r][c], middle = median[r][c], f = listed.get(r * n + c);
    const name = blocks[r].name + ' → ' + blocks[c].name;
    if (f)
      return pairs(flowLines(f));
    if (low === NO_FLOW)
      return pairs([name, ['flow', 'none']]);
    const state = D.meta.full ? 'ok' : stateOf(low);
    return pairs(single ? [name, [SHARE, percent1(low)], state !== 'ok' && ['that is', STATES[state].word]] :
      [name, ['median ' + SHARE, percent1(middle)], ['lowest flow', percent1(low)]]);
  }

  function pairs(lines) {
    return lines.filter(Boolean).map(line => Array.isArray(line) ? el('div', {class: 'pair'}, el('span', {}, line[0]), el('b', {}, line[1])) : el('div', {class: 'what'}, line));
  }

  function pick() {
    if (at.row < 0)
      return;
    const from = blocks[order[at.row]], to = blocks[order[at.column]], hosts = [...from.hosts, ...to.hosts].map(host => host.i);
    select('cell ' + order[at.row] + ' ' + order[at.column], from.name + ' → ' + to.name, hosts, single ? [from.hosts[0].i, to.hosts[0].i] : null);
  }

  const cellAt = event => {
    const box = canvas.getBoundingClientRect();
    return [Math.floor((event.clientY - box.top - top) / size), Math.floor((event.clientX - box.left - left) / size)];
  };
  set(canvas, {
    onpointermove: event => {
      const [row, column] = cellAt(event);
      if (row >= 0 && row < n && column >= 0 && column < n && (row !== at.row || column !== at.column))
        go(row, column);
    },
    // a name selects its host, a cell its flow
    onclick: event => {
      const [row, column] = cellAt(event), name = row < 0 ? column : column < 0 ? row : -1;
      if (name >= 0 && name < n && single)
        selectHost(blocks[order[name]].hosts[0]);
      else if (row >= 0 && column >= 0)
        pick();
    },
    onkeydown: event => {
      const step = {ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1]}[event.key];
      if (step)
        go(at.row < 0 ? 0 : at.row + step[0], at.column < 0 ? 0 : at.column + step[1]);
      else if (event.key === 'Enter' || event.key === ' ')
        pick();
      else
        return;
      event.preventDefault();
    },
    onfocus: () => at.row < 0 && n && go(0, Math.min(1, n - 1)),
  });
  repaints.push(draw);
  followers.push(draw);
  addEventListener('resize', draw);
  addEventListener('load', draw);

  const what = single ? 'Rows send, columns receive: a sick sender is a row, a sick receiver a column.' :
    'Rows send, columns receive; ' + HOSTS.length + ' hosts by ' + (by === null ? 'stretches of names' : by) + ', each cell the median of its flows.';
  const many = single && D.layers.length > 1 ? ' Of a pair with several layers the lowest counts.' : '';
  return section('matrix', 'Matrix', what + many, around);
}
