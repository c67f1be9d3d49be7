/** What kind of image bytes are, and its sides in pixels. */
export type ImageSize = Readonly<{
  mediaType: 'image/png' | 'image/jpeg' | 'image/webp' | 'image/gif';
  width: number;
  height: number;
}>;

/** Vision models make larger images as small as this, so that it stands for sides that are not known. */
const LONGEST_SIDE = 1_568;

/** The kind and size of an image that vision models take; undefined for all else. */
export function imageSize(bytes: Uint8Array): ImageSize | undefined {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const unknown = { width: LONGEST_SIDE, height: LONGEST_SIDE };
  if (view.length > 24 && view.subarray(0, 8).toString('latin1') === '\x89PNG\r\n\x1a\n')
    return { mediaType: 'image/png', ...bounded(view.readUInt32BE(16), view.readUInt32BE(20)) };
  if (view.length > 10 && /^GIF8[79]a/.test(view.subarray(0, 6).toString('latin1')))
    return { mediaType: 'image/gif', ...bounded(view.readUInt16LE(6), view.readUInt16LE(8)) };
  if (view[0] === 0xff && view[1] === 0xd8) return { mediaType: 'image/jpeg', ...unknown };
  const isRiff = view.subarray(0, 4).toString('latin1') === 'RIFF';
  if (isRiff && view.subarray(8, 12).toString('latin1') === 'WEBP')
    return { mediaType: 'image/webp', ...unknown };
  return undefined;
}

function bounded(width: number, height: number): { width: number; height: number } {
  const scale = Math.min(1, LONGEST_SIDE / Math.max(1, width, height));
  const side = (length: number): number => Math.max(1, Math.round(length * scale));
  return { width: side(width), height: side(height) };
}
