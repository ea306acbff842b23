// SPDX-License-Identifier: Apache-2.0
//
// What the pages are made from: small runs whose figures are worked out by hand, written into a folder.
'use strict';
const fs = require('fs');
const path = require('path');

const HEADER = 'ts,host,dir,peer,size,rep_size,target_pps,pps,rep_pps,loss_pct,rtt_p50_us,rtt_p99_us\n';
const SIX = ['a1', 'a2', 'b1', 'b2', 'c1', 'c2'];

// Three racks of two 10 Gb/s hosts, one uplink each.
function floor(uplinkGbps, names = SIX) {
  return 'dc T\n  room h1\n    row A nic_gbps=10 uplinks=1 uplink_gbps=' + uplinkGbps + '\n' + ['r01', 'r02', 'r03'].map((rack, i) =>
    '      rack ' + rack + '\n' + names.slice(2 * i, 2 * i + 2).map((name, k) => '        node n' + k + " name='" + name + "'\n").join('')).join('');
}

const cell = text => /[",\n]/.test(text) ? '"' + text.replace(/"/g, '""') + '"' : text;
const row = (ts, a, b, target, got, p99 = '', p50 = '') => [ts, cell(a), 'tx', cell(b), 1434, 34, target, got, got, '', p50, p99].join(',') + '\n';

// Across racks a flow expects 97,656.25 requests/s, inside one 390,625 (worked by hand in doc/model.md); each gets the
// share `got` says.
function run(got, names = SIX, rtt = '') {
  let text = HEADER;
  for (const a of names)
    for (const b of names)
      if (a !== b) {
        const inside = Math.floor(names.indexOf(a) / 2) === Math.floor(names.indexOf(b) / 2);
        const rate = (inside ? 390625 : 97656.25) * got(a, b);
        text += row(1000, a, b, '', rate, '', rtt);
      }
  return text;
}

// 20, 40, 60, 80 k and unpaced; 70 k is the most, 30 k for b1; p99 = 40 us + 10 us x u/(1-u) below, 800 us at the ceiling.
function ramp() {
  let text = HEADER, ts = 1000;
  for (const asked of [20000, 40000, 60000, 80000, null])
    for (let i = 0; i < 3; i++) {
      ts += 5;
      for (const a of SIX) {
        const ceiling = a === 'b1' ? 30000 : 70000, got = Math.min(asked || ceiling, ceiling), u = got / ceiling;
        for (const b of SIX)
          if (a !== b)
            text += row(ts, a, b, asked || '', got, u === 1 ? 800 : 40 + 10 * u / (1 - u));
      }
    }
  return text;
}

// `racks` racks of ten hosts; every flow asks for 1000 requests/s and gets 97 to 100 percent, those of one host 45. With
// `peers` each host sends to so many others only.
function fleet(folder, racks, peers) {
  const hosts = [];
  for (let r = 1; r <= racks; r++)
    for (let u = 0; u < 10; u++)
      hosts.push('r' + String(r).padStart(3, '0') + 'u' + u);
  fs.writeFileSync(path.join(folder, 'fleet.dc'), 'dc P\n  row A nic_gbps=25 uplinks=2 uplink_gbps=100\n    rack r[001..' + String(racks).padStart(3, '0') +
    ']\n      node tor role=tor name={rack}tor\n      node u[0..9] role=server name={rack}{id}\n');
  const out = fs.openSync(path.join(folder, 'fleet.csv'), 'w');
  fs.writeSync(out, HEADER);
  let seed = 1;
  hosts.forEach((a, i) => {
    let text = '';
    for (let k = 1; k < (peers ? peers + 1 : hosts.length); k++) {
      const b = hosts[(i + k * (peers ? 7 : 1)) % hosts.length];
      seed = seed * 48271 % 2147483647;
      text += row(1000, a, b, 1000, (a === 'r003u4' || b === 'r003u4' ? 450 : 970 + seed % 30001 / 1000).toFixed(3), 400, (60 + seed % 400 / 10).toFixed(1));
    }
    fs.writeSync(out, text);
  });
  fs.closeSync(out);
}

// Idle reports of netmesh in which every pair of the fleet has a p50 of 50 us.
function idle(folder, racks) {
  let text = 'ts,host,dir,peer,probe,rtt_p50_us,jitter_us,path_mtu,mtu_state,flow\n';
  const hosts = [];
  for (let r = 1; r <= racks; r++)
    for (let u = 0; u < 10; u++)
      hosts.push('r' + String(r).padStart(3, '0') + 'u' + u);
  for (const a of hosts)
    for (const b of hosts)
      if (a !== b)
        text += '10,' + a + ',tx,' + b + ',udp,50.25,1,,,\n';
  fs.writeFileSync(path.join(folder, 'idle.csv'), text);
}

module.exports = {SIX, floor, run, ramp, fleet, idle};
