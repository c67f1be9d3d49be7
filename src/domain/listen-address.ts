/** Where a small server of ours listens. */
export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** How it is written, for messages. */
export const LISTEN_FORM = 'HOST:PORT, or PORT on this machine alone';

const LOOPBACK = '127.0.0.1';
const MAX_PORT = 65_535;

/** Reads `HOST:PORT`, `[IPV6]:PORT` or `PORT`, which means this machine alone; undefined for anything else. */
export function parseListenAddress(text: string): ListenAddress | undefined {
  const match = /^(?:(?:\[([0-9a-f:.]+)\]|([^\s:[\]]+)):)?(\d{1,5})$/i.exec(text.trim());
  if (!match) return undefined;
  const port = Number(match[3]);
  if (port > MAX_PORT) return undefined;
  return { host: match[1] ?? match[2] ?? LOOPBACK, port };
}

/** As `parseListenAddress` reads it. */
export function formatListenAddress({ host, port }: ListenAddress): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}
