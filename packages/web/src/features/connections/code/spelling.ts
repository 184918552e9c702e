import { connectionTexts } from '../texts.ts'

/** The NATO alphabet, the same in every language. */
const words: Record<string, string> = {
  A: 'Alfa',
  B: 'Bravo',
  C: 'Charlie',
  D: 'Delta',
  E: 'Echo',
  F: 'Foxtrot',
  G: 'Golf',
  H: 'Hotel',
  I: 'India',
  J: 'Juliett',
  K: 'Kilo',
  L: 'Lima',
  M: 'Mike',
  N: 'November',
  O: 'Oscar',
  P: 'Papa',
  Q: 'Quebec',
  R: 'Romeo',
  S: 'Sierra',
  T: 'Tango',
  U: 'Uniform',
  V: 'Victor',
  W: 'Whiskey',
  // With a non-breaking hyphen.
  X: 'X\u2011ray',
  Y: 'Yankee',
  Z: 'Zulu',
}

/** Spells a code for dictation: KTR-MVX-482 becomes 'Kilo Tango Romeo, Mike Victor X-ray, four eight two'. */
export function spellCode(code: string): string {
  return groups(code, (character) => words[character] ?? connectionTexts.digits[Number(character)] ?? character)
}

/** Separates the characters for screen readers: 'K T R, M V X, 4 8 2'. */
export function spaceCode(code: string): string {
  return groups(code, (letter) => letter)
}

function groups(code: string, say: (character: string) => string): string {
  return code
    .split('-')
    .map((group) => Array.from(group, say).join(' '))
    .join(', ')
}
