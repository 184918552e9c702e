import type { Bytes } from '../encoding/bytes.ts'

/** y of the eight points of small order on the curve (two share each y but 1 and -1), little-endian. */
const smallOrder = [
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000000',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
].map((hex) => Uint8Array.from({ length: 32 }, (_, i) => Number.parseInt(hex.slice(i * 2, i * 2 + 2), 16)))

/** Whether y < 2^255 - 19: a larger y is a second encoding of the same point. */
function isCanonical(point: Bytes): boolean {
  if (((point[31] as number) & 0x7f) !== 0x7f || (point[0] as number) < 0xed) return true
  for (let i = 1; i < 31; i++) if (point[i] !== 0xff) return true
  return false
}

function isOfSmallOrder(point: Bytes): boolean {
  return smallOrder.some((y) => {
    for (let i = 0; i < 31; i++) if (point[i] !== y[i]) return false
    return ((point[31] as number) & 0x7f) === y[31]
  })
}

/** Canonical and not of small order. Whether it is on the curve is left to the verification. */
export function isAcceptablePoint(point: Bytes): boolean {
  return isCanonical(point) && !isOfSmallOrder(point)
}
