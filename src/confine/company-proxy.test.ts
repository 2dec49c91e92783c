import assert from 'node:assert/strict';
import { test } from 'node:test';
import { companyProxy } from './company-proxy.ts';

const target = { host: 'api.example.com', port: 443 };

test('the variables are read in small letters and capitals, and the scheme chooses among them', () => {
  assert.equal(companyProxy({}, target, 'https'), null);
  assert.equal(companyProxy({ HTTPS_PROXY: '' }, target, 'https'), null);
  assert.equal(companyProxy({ HTTP_PROXY: 'http://one:1' }, target, 'https'), null);
  assert.deepEqual(companyProxy({ HTTPS_PROXY: 'http://one:3128' }, target, 'https'), {
    host: 'one',
    port: 3128,
    secure: false,
    authorization: null,
  });
  assert.equal(companyProxy({ https_proxy: 'http://small', HTTPS_PROXY: 'http://large' }, target, 'https')?.host, 'small');
  assert.equal(companyProxy({ ALL_PROXY: 'one:3128' }, target, 'http')?.port, 3128);
});

test('an account and a secure proxy are understood', () => {
  assert.deepEqual(companyProxy({ HTTPS_PROXY: 'https://me:p%40ss@proxy.corp' }, target, 'https'), {
    host: 'proxy.corp',
    port: 443,
    secure: true,
    authorization: `Basic ${Buffer.from('me:p@ss').toString('base64')}`,
  });
});

test('NO_PROXY exempts hosts, what lies below them, ports, networks, or everybody', () => {
  const via = (list: string, host = target.host, port = 443): boolean =>
    companyProxy({ HTTPS_PROXY: 'http://p:1', NO_PROXY: list }, { host, port }, 'https') !== null;
  for (const list of ['*', 'api.example.com', 'example.com', '.example.com', '*.example.com', 'a.test, example.com', 'api.example.com:443'])
    assert.equal(via(list), false, list);
  for (const list of ['', 'ample.com', 'api.example.com:80', 'example.org', '10.0.0.0/8', 'x/y']) assert.equal(via(list), true, list);
  assert.equal(via('10.0.0.0/8', '10.1.2.3'), false);
  assert.equal(via('fd00::/8', 'fd00::1'), false);
  assert.equal(via('10.0.0.0/8', '11.1.2.3'), true);
});

test('this machine is never reached through a proxy', () => {
  for (const host of ['localhost', '127.0.0.1', '::1'])
    assert.equal(companyProxy({ ALL_PROXY: 'http://p:1' }, { host, port: 4000 }, 'https'), null);
});

test('a proxy of another kind is an error and not a way around it', () => {
  for (const value of ['socks5://p:1080', 'http://', 'ftp://p'])
    assert.throws(() => companyProxy({ ALL_PROXY: value }, target, 'https'), /neither http nor https/);
});
