import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isListed, loopbackHosts, parseTarget } from './host-list.ts';

const allows = (hosts: readonly string[], target: string): boolean => {
  const parsed = parseTarget(target, null);
  return parsed !== null && isListed(parsed, hosts);
};

test('a host is compared as it is written, whatever its letters, with or without a dot at its end', () => {
  for (const target of ['api.example.com:443', 'API.Example.COM:443', 'api.example.com.:443'])
    assert.ok(allows(['api.example.com'], target));
  assert.ok(allows(['API.example.com.'], 'api.example.com:443'));
});

test('nothing that only ends like a listed host is one', () => {
  for (const target of ['evilapi.example.com:443', 'api.example.com.evil.test:443', 'x.api.example.com:443', 'example.com:443']) {
    assert.equal(allows(['api.example.com'], target), false, target);
  }
});

test('a star stands for whatever lies below, at any depth, and not for the host itself', () => {
  for (const target of ['a.example.com:443', 'a.b.example.com:443']) assert.ok(allows(['*.example.com'], target));
  for (const target of ['example.com:443', 'evilexample.com:443', '.example.com:443'])
    assert.equal(allows(['*.example.com'], target), false, target);
});

test('a host without a port is meant for 443, and any other port has to be named', () => {
  assert.equal(allows(['example.com'], 'example.com:80'), false);
  assert.ok(allows(['example.com:80'], 'example.com:80'));
  assert.equal(allows(['example.com:80'], 'example.com:443'), false);
  assert.ok(allows(['*.example.com:8443'], 'a.example.com:8443'));
});

test('addresses are hosts too, and only in the same notation', () => {
  assert.ok(allows(['127.0.0.1:4000'], '127.0.0.1:4000'));
  assert.ok(allows(['[::1]:4000'], '[::1]:4000'));
  for (const target of ['127.1:4000', '2130706433:4000', '0x7f000001:4000', 'localhost:4000'])
    assert.equal(allows(['127.0.0.1:4000'], target), false);
});

test('what is no host and port is no target', () => {
  const wrong = [
    '',
    ':443',
    'a b:443',
    'user@host:443',
    'host:0',
    'host:65536',
    'host:x',
    'http://host:443',
    'host',
    'host:443/path',
    '[::1',
    'fe80::1:443',
    'a\r\nb:1',
  ];
  for (const text of wrong) assert.equal(parseTarget(text, null), null, text);
});

test('an empty list lets nobody through', () => {
  assert.equal(allows([], 'example.com:443'), false);
  assert.equal(allows(['', '*', '*.'], 'example.com:443'), false);
});

test('services of this very machine are told from others', () => {
  const hosts = [
    'localhost:4000',
    '127.0.0.1:4001',
    '[::1]:4002',
    '127.9.9.9:1',
    'localhost',
    'localhost.evil.test:1',
    '10.0.0.1:80',
    'localhost:4000',
  ];
  assert.deepEqual(loopbackHosts(hosts), ['localhost:4000', '127.0.0.1:4001', '[::1]:4002', '127.9.9.9:1', 'localhost:443']);
});
