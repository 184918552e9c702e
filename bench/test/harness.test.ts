import { expect, test } from 'vitest'
import { contentWith, numberIn } from '../harness/adapter.ts'

test("the names that another's generator gives its messages are carried by numbers of 32 bits, each by its own", () => {
  const names = ['1', '420000000', '2147483647', 's0-0', 's0-199', 's1-0', 's49-199', 's200000-9999']
  const numbers = names.map((name) => numberIn(`${name}.what follows.s3-4`))
  expect(new Set(numbers).size).toBe(names.length)
  for (const [i, number] of numbers.entries()) {
    expect(number).toBe(number >>> 0)
    expect(contentWith(number)).toBe(`${names[i]}.`)
  }
})
