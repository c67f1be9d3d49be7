import { NeedsPerson, RetryLater } from '../domain/errors.ts';

/** No byte of the request left the machine: nothing can have been paid. */
const NOT_SENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENETUNREACH',
  'ENETDOWN',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'EADDRNOTAVAIL',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** The other side is not the server we think it is; only a person can tell what is right. */
const NOT_TRUSTED =
  /^(CERT_|ERR_TLS_CERT|SELF_SIGNED|DEPTH_ZERO_SELF_SIGNED|UNABLE_TO_(VERIFY|GET_ISSUER)|ERR_SSL_|EPROTO$)/;

/** Maps a failure below HTTP: a connection that could not be made, or broke. */
export function mapNetworkError(error: unknown, baseUrl: string): RetryLater | NeedsPerson {
  const causes = causesOf(error);
  const codes = causes.map((cause) => cause.code);
  const untrusted = codes.find((code) => NOT_TRUSTED.test(code));
  if (untrusted !== undefined)
    return new NeedsPerson(
      'request',
      `No secure connection to ${baseUrl} could be made (${untrusted}).`,
      'Check the base URL and its scheme; for a certificate of your own, name its authority in NODE_EXTRA_CA_CERTS.',
      { cause: error },
    );
  // The platform refuses such a port before it sends anything, each time.
  if (causes.some(({ message }) => message === 'bad port'))
    return new NeedsPerson(
      'request',
      `No request can be made to ${baseUrl}: its port is one that HTTP clients refuse.`,
      'Set the base URL to the port on which the server listens.',
      { cause: error },
    );
  const code = codes.find((name) => name !== '');
  const maybePaid = !causes.some((cause) => NOT_SENT.has(cause.code) || cause.isConnecting);
  const detail = code ?? (error instanceof Error ? error.message : String(error));
  const message = maybePaid
    ? `The connection to ${baseUrl} broke before the reply was whole (${detail}).`
    : `${baseUrl} cannot be reached (${detail}): check the base URL and the network.`;
  return new RetryLater(message, { maybePaid, isUnreachable: !maybePaid }, { cause: error });
}

interface Cause {
  readonly code: string;
  readonly message: string;
  readonly isConnecting: boolean;
}

/** The error, its causes, and the members of aggregates (one per address of a host), outermost first. */
function causesOf(error: unknown, depth = 0): readonly Cause[] {
  if (!(error instanceof Error) || depth > 5) return [];
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const isConnecting = 'syscall' in error && error.syscall === 'connect';
  const members: readonly unknown[] = error instanceof AggregateError ? error.errors : [];
  return [
    { code, message: error.message, isConnecting },
    ...[error.cause, ...members].flatMap((inner) => causesOf(inner, depth + 1)),
  ];
}
