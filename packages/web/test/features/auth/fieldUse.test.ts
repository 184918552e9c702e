import { expect, it } from 'vitest'
import { areUntouched } from '../../../src/features/auth/SignIn.tsx'

const field = (value = '', ...states: string[]) => ({
  value,
  matches: (selector: string) => states.some((state) => selector.includes(state)),
})

it.each([
  ['both are empty', [field(), field()], true],
  ['a name is typed', [field('amara.osei'), field()], false],
  ['a password manager has put in a password', [field(), field('secret')], false],
  ['someone is in a field and has not typed yet', [field('', ':focus'), field()], false],
  ['the browser has filled in what no script may read yet', [field(), field('', ':autofill')], false],
])('late demo credentials, where %s', (_, fields, untouched) => {
  expect(areUntouched(fields)).toBe(untouched)
})
