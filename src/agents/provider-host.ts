/** The host of an address with its port, as a list of hosts names it; none where it is no address. */
export function hostOf(address: string | null | undefined): string[] {
  const url = URL.parse(address ?? '');
  return url === null ? [] : [`${url.hostname}:${url.port || (url.protocol === 'http:' ? '80' : '443')}`];
}
