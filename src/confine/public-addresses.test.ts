import assert from 'node:assert/strict';
import { networkInterfaces } from 'node:os';
import { test } from 'node:test';
import { isPublicAddress } from './public-addresses.ts';

test('addresses of the public network are public', () => {
  for (const address of [
    '1.1.1.1',
    '93.184.216.34',
    '172.32.0.1',
    '192.169.0.1',
    '100.128.0.1',
    '2606:4700:4700::1111',
    '64:ff9b::1.1.1.1',
  ]) {
    assert.ok(isPublicAddress(address), address);
  }
});

test('this machine, private networks and whatever else leads to them are not', () => {
  const closed = [
    '0.0.0.0',
    '0.1.2.3',
    '127.0.0.1',
    '127.255.255.254',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '100.127.255.255',
    '198.18.0.1',
    '224.0.0.1',
    '239.1.1.1',
    '240.0.0.1',
    '255.255.255.255',
    '192.0.0.170',
    '::',
    '::1',
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:10.0.0.1',
    '::ffff:1.1.1.1',
    'fe80::1',
    'fe80::1%eth0',
    'fc00::1',
    'fd12:3456::1',
    'fec0::1',
    'ff02::1',
    '2002:7f00:1::1',
    '2001:0:7f00:1::',
    '2001:db8::1',
    '100::1',
    '64:ff9b::127.0.0.1',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b::10.0.0.1',
    '64:ff9b:1::1',
  ];
  for (const address of closed) assert.equal(isPublicAddress(address), false, address);
});

test('what is no address is not public', () => {
  for (const text of ['', 'localhost', '127.1', '0x7f.0.0.1', '1.1.1.1:80']) assert.equal(isPublicAddress(text), false, text);
});

test('no address of this machine is public', () => {
  const own = Object.values(networkInterfaces()).flatMap((found) => found ?? []);
  assert.ok(own.length > 0);
  for (const { address } of own) assert.equal(isPublicAddress(address), false, address);
});
