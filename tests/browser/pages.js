// SPDX-License-Identifier: Apache-2.0
//
// The pages as a person meets them: opened from disk in Chromium, pointed at, sorted, filtered, read by keyboard, held
// against --json figure by figure. node pages.js WORK, with CHROMIUM and RECKON; screenshots stay in WORK/shots.
'use strict';
const assert = require('assert');
const {execFileSync} = require('child_process');
const fs = require('fs');
const path = require('path');
const {chromium} = require('playwright-core');
const {SIX, floor, run, ramp, fleet, idle} = require('./inputs.js');

const WORK = path.resolve(process.argv[2]), SHOTS = path.join(WORK, 'shots');
const AXE = fs.readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const HOSTILE = '</script><img src=x onerror="window.pwned=1">';
const at = name => path.join(WORK, name);

function reckon(...args) {
  const env = Object.fromEntries(Object.entries(process.env).filter(([key]) => !key.startsWith('RECKON_')));
  return execFileSync(process.env.RECKON, args, {cwd: WORK, env, encoding: 'utf8', maxBuffer: 1 << 28});
}

// ---- what is opened ----

let browser;

// A page that must not complain and must ask for nothing but its own file.
async function open(name, options = {}) {
  const context = await browser.newContext({viewport: {width: 1280, height: 800}, colorScheme: options.dark ? 'dark' : 'light', bypassCSP: Boolean(options.axe)});
  const page = await context.newPage(), wrong = [];
  page.on('console', message => wrong.push('console: ' + message.text()));
  page.on('pageerror', error => wrong.push('error: ' + error.message));
  page.on('dialog', dialog => { wrong.push('dialog: ' + dialog.message()); dialog.dismiss(); });
  page.on('request', request => request.url() === 'file://' + at(name) || wrong.push('request: ' + request.url()));
  await page.goto('file://' + at(name));
  page.close_quietly = async () => {
    assert.deepStrictEqual(wrong, [], name);
    await context.close();
  };
  return page;
}

async function with_page(name, options, look) {
  const page = await open(name, options);
  await look(page);
  await page.close_quietly();
}

const text = (page, selector) => page.locator(selector).first().innerText();
// Every row of a table's body as the texts of its cells, by the title above each; all rows are shown first.
async function rows(page, id) {
  return page.evaluate(id => {
    const more = document.querySelector('#' + id + '-sheet .more');
    while (!more.hidden)
      more.click();
    const heads = [...document.querySelectorAll('#' + id + '-sheet thead th')].map(th => th.textContent.replace(/[↑↓]/, ''));
    return [...document.querySelectorAll('#' + id + '-sheet tbody tr')].map(tr =>
      ({key: tr.dataset.row, on: tr.classList.contains('on'), cells: [...tr.children].map((td, i) => [heads[i], td.textContent])}));
  }, id);
}
const value = (row, title, nth = 0) => row.cells.filter(([head]) => head === title)[nth][1];

// ---- figures ----

const UNITS = {'%': 1, pps: 1, kpps: 1e3, Mpps: 1e6, Gpps: 1e9, 'Mb/s': 1, 'Gb/s': 1e3, us: 1, ms: 1e3, pts: 1, '': 1};

// Whether a shown text is the figure, rounded to the digits that are shown; a dash is a blank.
function shows(shown, x) {
  if (x === null || x === undefined)
    return shown === '–';
  const m = /^([+-]?\d+(?:\.(\d+))?) ?([%A-Za-z/]*)$/.exec(shown.trim());
  return Boolean(m) && m[3] in UNITS && Math.abs(Number(m[1]) * UNITS[m[3]] - x) <= 0.5000001 * UNITS[m[3]] * 10 ** -(m[2] || '').length + 1e-6 * Math.abs(x);
}

function same(shown, x, what) {
  assert(shows(shown, x), what + ': ' + shown + ' is not ' + x);
}

// ---- the run ----

const tests = [];
const test = (name, look) => tests.push([name, look]);

test('opens with no error and no request, light and dark, and its words can be read', async () => {
  for (const name of ['run', 'ramp', 'plan', 'what-if', 'since', 'clean', 'hostile', 'fleet', 'big'])
    for (const dark of name === 'big' ? [false] : [false, true])
      await with_page(name + '.html', {dark, axe: true}, async page => {
        await page.screenshot({path: path.join(SHOTS, name + (dark ? '-dark' : '') + '.png')});
        await page.evaluate(AXE);
        const found = await page.evaluate(() => axe.run(document, {resultTypes: ['violations']}));
        const serious = found.violations.filter(v => v.impact === 'serious' || v.impact === 'critical');
        assert.deepStrictEqual(serious.map(v => [v.id, v.nodes[0].html, v.nodes[0].failureSummary]), [], name + (dark ? ', dark' : ''));
      });
});

test('the verdict and the sick host are above the fold', () => with_page('run.html', {}, async page => {
  assert((await text(page, '#verdict')).includes('b2 reaches 45%'));
  for (const selector of ['#verdict', '[data-host=b2]', '.finding']) {
    const box = await page.locator(selector).first().boundingBox();
    assert(box.y >= 0 && box.y + box.height <= 800 && box.x >= 0 && box.x + box.width <= 1280, selector + ' at ' + JSON.stringify(box));
  }
  const order = await page.evaluate(() => [...document.querySelectorAll('main section[id]')].map(s => s.id));
  assert.deepStrictEqual(order, ['verdict', 'findings', 'floor', 'matrix', 'hosts', 'flows', 'links', 'histogram', 'hardware']);
}));

test('tables carry the figures of --json', async () => {
  for (const [name, figures] of [['run', 'run.json'], ['since', 'since.json'], ['fleet', 'fleet.json']])
    await with_page(name + '.html', {}, async page => {
      const json = JSON.parse(fs.readFileSync(at(figures), 'utf8'));
      const hosts = new Map((await rows(page, 'hosts')).map(row => [row.key, row]));
      assert.strictEqual(hosts.size, json.hosts.length);
      for (const host of json.hosts) {
        const row = hosts.get(host.host);
        same(value(row, 'Median'), host.efficiency_pct, host.host + ' median');
        same(value(row, 'Expected'), host.expected, host.host + ' expected');
        same(value(row, 'Achieved'), host.achieved, host.host + ' achieved');
        same(value(row, 'Short'), host.short_flows, host.host + ' short');
        if (name === 'since') {
          same(value(row, 'Then'), host.baseline_efficiency_pct, host.host + ' then');
          same(value(row, 'Change'), host.change_pts, host.host + ' change');
        }
        if (name === 'fleet')
          same(value(row, 'Added RTT'), host.added_rtt_us, host.host + ' added RTT');
      }
      const flows = new Map((await rows(page, 'flows')).map(row => [row.key, row]));
      assert.strictEqual(flows.size, Math.min(5000, json.flows.length));
      for (const flow of json.flows) {
        const key = flow.src + ' > ' + flow.dst, row = flows.get(key);
        if (!row)
          continue;
        same(value(row, 'Efficiency'), flow.efficiency_pct, key + ' efficiency');
        same(value(row, 'Expected'), flow.expected, key + ' expected');
        same(value(row, 'Achieved'), flow.achieved, key + ' achieved');
        if (name === 'since')
          same(value(row, 'Change'), flow.change_pts, key + ' change');
        if (name === 'fleet') {
          same(value(row, 'Idle'), flow.idle_rtt_p50_us, key + ' idle');
          same(value(row, 'Added'), flow.added_rtt_us, key + ' added');
        }
      }
      const links = new Map((await rows(page, 'links')).map(row => [row.key, row]));
      assert.strictEqual(links.size, json.links.length);
      for (const link of json.links) {
        const key = link.kind + ':' + link.owner + ':' + link.way, row = links.get(key);
        const unit = link.kind === 'pps' ? 1 : 1e-6, scaled = x => x === null ? null : x * unit;
        same(value(row, 'Capacity'), scaled(link.capacity), key + ' capacity');
        same(value(row, 'Expected'), scaled(link.expected_load), key + ' expected');
        same(value(row, '%', 0), link.expected_pct, key + ' expected %');
        same(value(row, 'Achieved'), scaled(link.achieved_load), key + ' achieved');
        same(value(row, '%', 1), link.achieved_pct, key + ' achieved %');
        same(value(row, 'Flows'), link.flows, key + ' flows');
        same(value(row, 'Limits'), link.limited_flows, key + ' limits');
      }
    });
});

test('the floor carries them, and is the one of the layout', () => with_page('run.html', {}, async page => {
  const json = JSON.parse(fs.readFileSync(at('run.json'), 'utf8'));
  for (const host of json.hosts)
    same((await text(page, '[data-host=' + host.host + '] .figure')), host.efficiency_pct, host.host + ' on the floor');
  for (const link of json.links.filter(link => link.kind === 'uplink'))
    same(await text(page, '[data-link="' + link.owner + ' ' + link.way + '"] .figure'), link.achieved_pct, link.owner + ' ' + link.way);
  assert.deepStrictEqual(await page.locator('#floor .rack > .head .name').allInnerTexts(), ['r01', 'r02', 'r03']);
  assert.deepStrictEqual(await page.locator('#floor .host').evaluateAll(all => all.map(e => e.dataset.host)), SIX);
  assert((await text(page, '#floor .place')).startsWith('dc T / room h1 / row A'));
}));

test('the matrix carries them: a sick host is a row and a column', () => with_page('run.html', {}, async page => {
  const json = JSON.parse(fs.readFileSync(at('run.json'), 'utf8')), seen = new Map();
  await page.focus('#cells');
  await page.keyboard.press('ArrowLeft');
  for (let r = 0; r < 6; r++) {
    for (let c = 0; c < 6; c++) {
      const lines = (await text(page, '#cell')).split('\n').filter(Boolean);
      seen.set(lines[0], lines);
      await page.keyboard.press('ArrowRight');
    }
    await page.keyboard.press('ArrowDown');
    for (let c = 0; c < 6; c++)
      await page.keyboard.press('ArrowLeft');
  }
  assert.strictEqual(seen.size, 36);
  for (const flow of json.flows) {
    const lines = seen.get(flow.src + ' → ' + flow.dst);
    same(lines[lines.indexOf('of expectation') + 1], flow.efficiency_pct, lines[0]);
    same(lines[lines.indexOf('expected') + 1], flow.expected, lines[0]);
    same(lines[lines.indexOf('achieved') + 1], flow.achieved, lines[0]);
  }
  // the colours themselves: b2's row and column are red, the rest is not
  const red = await page.evaluate(() => {
    const canvas = document.getElementById('cells'), g = canvas.getContext('2d'), all = [];
    const left = canvas.width - 6 * 40 - 2, top = canvas.height - 6 * 40 - 2, pixels = g.getImageData(0, 0, canvas.width, canvas.height).data;
    for (let r = 0; r < 6; r++)
      for (let c = 0; c < 6; c++) {
        const from = 4 * ((top + r * 40 + 6) * canvas.width + left + c * 40 + 6);
        if (pixels[from] > 150 && pixels[from + 1] < 120)
          all.push(r + ',' + c);
      }
    return all;
  });
  assert.deepStrictEqual(red.sort(), ['0,3', '1,3', '2,3', '3,0', '3,1', '3,2', '3,4', '3,5', '4,3', '5,3']);
}));

test('sorting and filtering', () => with_page('run.html', {}, async page => {
  const shares = async () => (await rows(page, 'flows')).map(row => Number.parseFloat(value(row, 'Efficiency')));
  const head = page.locator('#flows-sheet th', {hasText: 'Efficiency'});
  assert.strictEqual(await head.getAttribute('aria-sort'), 'ascending');
  assert.deepStrictEqual(await shares(), [...await shares()].sort((a, b) => a - b));
  await head.locator('button').click();
  assert.strictEqual(await head.getAttribute('aria-sort'), 'descending');
  assert.deepStrictEqual(await shares(), [...await shares()].sort((a, b) => b - a));
  await page.locator('#flows-sheet th', {hasText: 'To'}).locator('button').press('Enter');
  const to = (await rows(page, 'flows')).map(row => value(row, 'To'));
  assert.deepStrictEqual(to, [...to].sort());
  await page.fill('#flows-filter', 'B2 uplinks');
  assert.strictEqual((await rows(page, 'flows')).length, 8); // those of b2 that leave their rack
  assert((await text(page, '#flows-sheet .count')).startsWith('8 of 30 flows'));
  await page.fill('#flows-filter', '');
  await page.check('#flows-short');
  assert.strictEqual((await rows(page, 'flows')).length, 10);
}));

test('pointing and the keyboard give the figures', () => with_page('run.html', {}, async page => {
  await page.hover('[data-host=b2]');
  assert(/b2, rack r02[^]*45\.0% failed[^]*781\.25 kpps[^]*351\.56 kpps[^]*r02 uplinks out/.test(await text(page, '#label')));
  await page.mouse.move(5, 300);
  assert(!await page.isVisible('#label'));
  await page.hover('#floor .rack:nth-child(2) button.head');
  assert(/rack r02[^]*1 × 10 Gb\/s[^]*out\s*7\.15 Gb\/s, 72%/.test(await text(page, '#label')));
  // the floor is one stop of the Tab key, and the arrows go on from there
  await page.focus('#floor button');
  const walked = [];
  for (let i = 0; i < 9; i++) {
    walked.push(await page.evaluate(() => document.activeElement.dataset.host || document.activeElement.querySelector('.name').textContent));
    assert(await page.isVisible('#label'), 'the label of ' + walked[i]);
    await page.keyboard.press('ArrowRight');
  }
  assert.deepStrictEqual(walked, ['r01', 'a1', 'a2', 'r02', 'b1', 'b2', 'r03', 'c1', 'c2']);
  await page.keyboard.press('Tab');
  assert.strictEqual(await page.evaluate(() => document.activeElement.id), 'cells');
  await page.focus('#histogram .bar');
  assert(/45 to 50%[^]*10/.test(await text(page, '#label')));
  await page.keyboard.press('ArrowRight');
  assert(/95 to 100%[^]*20/.test(await text(page, '#label')));
}));

test('selecting a host, a finding or a flow shows it everywhere', () => with_page('run.html', {}, async page => {
  const chosen = async id => (await rows(page, id)).filter(row => row.on).map(row => row.key).sort();
  const of_b2 = SIX.filter(x => x !== 'b2').flatMap(x => ['b2 > ' + x, x + ' > b2']).sort();
  const links = ['nic:b2:in', 'nic:b2:out', 'uplink:T/h1/A/r02:in', 'uplink:T/h1/A/r02:out'];
  const before = await page.evaluate(() => document.getElementById('cells').toDataURL());
  for (const selector of ['[data-host=b2]', '.finding .pick']) {
    await page.locator(selector).first().click();
    assert.deepStrictEqual(await chosen('hosts'), ['b2'], selector);
    assert.deepStrictEqual(await chosen('flows'), of_b2, selector);
    assert.deepStrictEqual(await chosen('links'), links, selector);
    assert.deepStrictEqual(await page.locator('#floor .host.on').evaluateAll(all => all.map(e => e.dataset.host)), ['b2']);
    assert.strictEqual(await page.locator('#floor .head.on').count(), 1);
    assert.notStrictEqual(await page.evaluate(() => document.getElementById('cells').toDataURL()), before, 'the matrix');
    assert((await text(page, '#selected')).includes('10 flows, 4 links'));
    assert((await rows(page, 'flows')).slice(0, 10).every(row => row.on), 'selected flows come first');
    await page.keyboard.press('Escape');
    assert(!await page.isVisible('#selected'));
    assert.deepStrictEqual(await chosen('flows'), []);
  }
  await page.locator('#flows-sheet tr[data-row="a1 > b2"] .name').first().click();
  assert.deepStrictEqual(await chosen('flows'), ['a1 > b2']);
  assert.deepStrictEqual(await chosen('links'), ['nic:a1:out', 'nic:b2:in', 'uplink:T/h1/A/r01:out', 'uplink:T/h1/A/r02:in']);
  await page.click('#selected button');
  await page.focus('#cells');
  await page.keyboard.press('Enter');
  assert.deepStrictEqual(await chosen('flows'), ['a1 > a2']);
}));

test('a hostile name is text and does nothing', () => with_page('hostile.html', {}, async page => {
  assert.strictEqual(await page.evaluate(() => window.pwned), undefined);
  assert.strictEqual(await page.locator('img').count(), 0);
  assert.strictEqual(await page.locator('script').count(), 2);
  assert((await text(page, '#verdict')).includes(HOSTILE));
  assert.strictEqual(value((await rows(page, 'hosts')).find(row => row.key === HOSTILE), 'Host').replace(/^[✕▼]/, ''), HOSTILE);
  await page.locator('#floor .host.fail').hover();
  assert((await text(page, '#label')).includes(HOSTILE));
  await page.locator('#floor .host.fail').click();
  await page.evaluate(() => document.getElementById('cells').dispatchEvent(new PointerEvent('pointermove', {clientX: 300, clientY: 600})));
  assert.strictEqual(await page.evaluate(() => window.pwned), undefined);
  const source = fs.readFileSync(at('hostile.html'), 'utf8');
  assert(!source.includes('<img'));
  // and if a way in were found, the browser would not run it
  assert(/Content-Security-Policy" content="default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+'/.test(source));
}));

test('with a baseline the change stands beside the value', () => with_page('since.html', {}, async page => {
  assert((await text(page, '.baseline')).startsWith('Since run tue: 6 hosts in both, median 98% then and 98% now; 1 fell'));
  const b2 = (await rows(page, 'hosts')).find(row => row.key === 'b2');
  assert.deepStrictEqual([value(b2, 'Then'), value(b2, 'Change')], ['98.0%', '-53.0 pts']);
  await page.hover('[data-host=b2]');
  assert(/98\.0%, -53\.0 pts/.test(await text(page, '#label')));
}));

test('a host that never reported is seen to be silent', () => with_page('silent.html', {}, async page => {
  assert((await text(page, '#verdict')).includes('c2'));
  assert((await page.locator('[data-host=c2]').getAttribute('aria-label')).endsWith('never reported'));
  assert.strictEqual(await text(page, '[data-host=c2] .mark'), '!');
  assert((await text(page, '#floor .legend')).includes('never reported'));
}));

test('a clean run says so', () => with_page('clean.html', {}, async page => {
  assert((await text(page, '#verdict')).startsWith('✓OK') || (await text(page, '#verdict')).includes('OK'));
  assert((await text(page, '#findings')).includes('No rule found anything wrong.'));
}));

test('200 hosts: at most 600 KB, and what is not listed is summed up', () => with_page('fleet.html', {}, async page => {
  assert(fs.statSync(at('fleet.html')).size <= 600 * 1024, fs.statSync(at('fleet.html')).size + ' bytes');
  assert(/The worst 5000 are listed\. The other 34800 reach [\d.]+% to [\d.]+%/.test(await text(page, '#flows .hint')));
  const box = await page.locator('[data-host=r003u4]').boundingBox();
  assert(box.y + box.height <= 800, 'the sick host');
}));

test('2,000 hosts: the matrix is by rack, and the page answers', () => with_page('big.html', {}, async page => {
  assert((await text(page, '#matrix .hint')).includes('2000 hosts by rack'));
  await page.focus('#cells');
  assert(/r001 → r002[^]*median of expectation/.test(await text(page, '#cell')));
  const from = Date.now();
  await page.locator('[data-host=r003u4]').click();
  assert((await text(page, '#selected')).includes('r003u4'));
  await page.fill('#hosts-filter', 'r003u');
  assert.strictEqual((await rows(page, 'hosts')).length, 10);
  assert(Date.now() - from < 5000, 'it took ' + (Date.now() - from) + ' ms');
}));

// ---- ramp and plan ----

test('a ramp: asked and delivered, p99 and curve, ceiling, knee, prediction, host by host', () => with_page('ramp.html', {}, async page => {
  const json = JSON.parse(fs.readFileSync(at('ramp.json'), 'utf8')), fleet = json.model.fleet, stats = (await page.locator('.stat dd').allInnerTexts()).map(t => t.split('\n')[0]);
  same(stats[0], fleet.ceiling, 'ceiling');
  same(stats[1], fleet.hardware_per_flow, 'hardware');
  same(stats[2], fleet.sustained, 'sustained');
  same(stats[3], fleet.knee, 'knee');
  for (const row of await rows(page, 'steps')) {
    const step = json.steps.find(step => step.label === row.key);
    same(value(row, 'Delivered'), step.delivered_per_flow, row.key);
    same(value(row, 'p99'), step.p99_us, row.key);
  }
  for (const row of await rows(page, 'hosts')) {
    same(value(row, 'Ceiling'), json.model.hosts[row.key].ceiling, row.key);
    same(value(row, 'Predicted'), json.prediction.hosts[row.key].delivered_total, row.key);
  }
  assert.strictEqual(await page.locator('#delivered .point').count(), 5);
  assert.strictEqual(await page.locator('#delivered .point.short').count(), 2); // 80 k and max
  assert.strictEqual(await page.locator('#p99 path.line').count(), 1);
  assert.strictEqual(await page.locator('.predicted').count(), 2);
  assert(/ceiling 70\.00 kpps/.test(await page.locator('#delivered').textContent()));
  assert(/knee 64\.62 kpps/.test(await page.locator('#p99').textContent()));
  assert.strictEqual(await page.locator('.small').first().getAttribute('data-host'), 'b1');
  assert(/43% of the fleet/.test(await text(page, '.small')));
  await page.locator('.small').first().click();
  assert.deepStrictEqual((await rows(page, 'hosts')).filter(row => row.on).map(row => row.key), ['b1']);
  await page.focus('#delivered .point');
  await page.keyboard.press('ArrowRight');
  assert(/40000 pps[^]*40\.00 kpps[^]*kept up/.test(await text(page, '#label')));
}));

test('a plan, and what a change makes of it', async () => {
  const json = JSON.parse(fs.readFileSync(at('what-if.json'), 'utf8'));
  await with_page('plan.html', {}, async page => {
    assert(/97\.66 kpps to 390\.62 kpps/.test(await text(page, '#verdict')));
    for (const row of await rows(page, 'flows')) {
      const flow = json.flows.find(flow => flow.src + ' > ' + flow.dst === row.key);
      same(value(row, 'Expected'), flow.expected, row.key);
    }
    assert(/97\.66 kpps each: r01 uplinks out, r02 uplinks out, r03 uplinks out hold 8 flows each/.test(await text(page, '#bottlenecks')));
  });
  await with_page('what-if.html', {}, async page => {
    for (const row of await rows(page, 'flows')) {
      const flow = json.flows.find(flow => flow.src + ' > ' + flow.dst === row.key);
      same(value(row, 'Before'), flow.expected, row.key);
      same(value(row, 'After'), flow.expected_after, row.key);
    }
    for (const row of await rows(page, 'links')) {
      const link = json.what_if.links.find(link => link.kind + ':' + link.owner + ':' + link.way === row.key);
      same(value(row, '%'), link.expected_pct, row.key);
    }
    assert(/Lowest flow\s*97\.66 kpps\s*156\.25 kpps\s*\+60%/.test(await text(page, '#what-if')));
    assert(/row=A uplinks=2/.test(await text(page, '#what-if')));
    assert(/nic_gbps=25[^]*in all \+7\.03 Mpps \(\+150%\)/.test(await text(page, '#upgrades')));
  });
});

// ---- making the pages ----

function make() {
  const put = (name, content) => fs.writeFileSync(at(name), content);
  fs.mkdirSync(SHOTS, {recursive: true});
  put('floor.dc', floor(10));
  put('run.csv', run((a, b) => a === 'b2' || b === 'b2' ? 0.45 : 0.98));
  put('clean.csv', run(() => 0.98));
  put('silent.csv', fs.readFileSync(at('clean.csv'), 'utf8').split('\n').filter(line => !line.includes(',c2,tx')).join('\n'));
  put('ramp.dc', floor(20));
  put('ramp.csv', ramp());
  const names = SIX.map(name => name === 'b2' ? HOSTILE : name);
  put('hostile.dc', floor(10, names));
  put('hostile.csv', run((a, b) => a === HOSTILE || b === HOSTILE ? 0.45 : 0.98, names));
  reckon('floor.dc', '--mx', 'clean.csv', '--run', 'tue', '--json', 'tue.json', '--html', 'clean.html');
  reckon('floor.dc', '--mx', 'run.csv', '--json', 'run.json', '--html', 'run.html');
  reckon('floor.dc', '--mx', 'run.csv', '--baseline', 'tue.json', '--json', 'since.json', '--html', 'since.html');
  reckon('floor.dc', '--mx', 'silent.csv', '--html', 'silent.html');
  reckon('hostile.dc', '--mx', 'hostile.csv', '--html', 'hostile.html');
  reckon('ramp.dc', '--ramp', 'ramp.csv', '--predict', '50000', '--json', 'ramp.json', '--html', 'ramp.html');
  reckon('plan', 'floor.dc', '--html', 'plan.html');
  reckon('plan', 'floor.dc', '--what-if', 'row=A uplinks=2', '--upgrade', '--json', 'what-if.json', '--html', 'what-if.html');
  fleet(WORK, 20, 0);
  idle(WORK, 20);
  reckon('fleet.dc', '--mx', 'fleet.csv', '--idle', 'idle.csv', '--json', 'then.json');
  reckon('fleet.dc', '--mx', 'fleet.csv', '--idle', 'idle.csv', '--baseline', 'then.json', '--json', 'fleet.json', '--html', 'fleet.html');
  fleet(WORK, 200, 20);
  reckon('fleet.dc', '--mx', 'fleet.csv', '--html', 'big.html');
}

async function main() {
  let failed = 0;
  make();
  browser = await chromium.launch({executablePath: process.env.CHROMIUM, args: ['--no-sandbox']});
  for (const [name, look] of tests)
    try {
      const from = Date.now();
      await look();
      console.log('ok   ' + name + (Date.now() - from > 3000 ? ' (' + ((Date.now() - from) / 1000).toFixed(0) + ' s)' : ''));
    } catch (error) {
      failed++;
      console.log('FAIL ' + name + '\n' + (error.stack || error));
    }
  await browser.close();
  console.log(tests.length - failed + ' passed, ' + failed + ' failed');
  process.exitCode = failed ? 1 : 0;
}

main();
