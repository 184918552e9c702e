import { expect, it } from 'vitest'
import { cutShapes, teethFrom } from '../../../src/ui/cut/Cut.tsx'
import { digitGroups, digitRows } from '../../../src/features/trust/safetyNumber/SafetyNumber.tsx'

const number = '304821190755310004187736290514428863017295608144338209166745'

it('sixty digits are twelve groups of five', () => {
  const groups = digitGroups(number)
  expect(groups).toHaveLength(12)
  expect(groups.join('')).toBe(number)
  expect(groups[3]).toBe('00418')
})

it('are copied in three rows of four groups', () => {
  expect(digitRows(number).split('\n')).toEqual([
    '30482 11907 55310 00418',
    '77362 90514 42886 30172',
    '95608 14433 82091 66745',
  ])
})

it('give both people the same cut, and another number another cut', () => {
  const cut = (digits: string) => JSON.stringify(teethFrom(digits, cutShapes.safety, 1600))
  expect(cut(number)).toBe(cut(`${number}`))
  expect(cut(number)).not.toBe(cut(`9${number.slice(1)}`))
})
