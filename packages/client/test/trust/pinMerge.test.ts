import { expect, test } from 'vitest'
import type { Pin, PinList } from '../../src/trust/pinList.ts'
import { mergePins, removeClosedConnections } from '../../src/trust/pinMerge.ts'

const pin = (identityKey: string, more: Partial<Pin> = {}): Pin => ({
  ...{ identityKey, previous: [], verified: false, linked: false, paused: false, since: 1 },
  ...more,
})
const listOf = (ben: Pin | undefined, parties: Record<string, string> = { c: 'ben' }): PinList => ({
  pins: ben ? { ben } : {},
  parties,
})

test.each<[string, PinList, PinList]>([
  ['the same', listOf(pin('K1')), listOf(pin('K1'))],
  ['verified elsewhere', listOf(pin('K1')), listOf(pin('K1', { verified: true }))],
  ['no longer verified elsewhere', listOf(pin('K1', { verified: true })), listOf(pin('K1'))],
  ['a changed key accepted elsewhere', listOf(pin('K1', { verified: true })), listOf(pin('K2', { previous: ['K1'] }))],
  ['somebody new', listOf(undefined, {}), listOf(pin('K1'))],
  ['somebody who is nobody’s party given up elsewhere', listOf(pin('K1'), {}), listOf(undefined, {})],
])('what honest browsers do to a list is followed: %s', (_what, known, newer) => {
  expect(mergePins(known, newer)).toEqual({ list: newer, altered: false, restored: false })
})

test.each<[string, Pin, Pin | undefined, boolean]>([
  ['a contact is missing', pin('K1'), undefined, true],
  ['a verified contact has another key', pin('K1', { verified: true }), pin('X'), true],
  ['a contact has another key', pin('K1'), pin('X'), false],
  ['both are verified', pin('K1', { verified: true }), pin('X', { verified: true }), false],
  ['an accepted key is taken back', pin('K2', { previous: ['K1'] }), pin('K1'), false],
])('what is known stays where %s', (_what, known, newer, restored) => {
  const merged = mergePins(listOf(known), listOf(newer))
  expect(merged).toEqual({ list: listOf(known), altered: true, restored })
})

test('a key verified elsewhere counts more than another one that was only met here', () => {
  const verified = pin('K1', { verified: true })
  expect(mergePins(listOf(pin('X')), listOf(verified))).toEqual({
    list: listOf(verified),
    altered: true,
    restored: false,
  })
})

test('a verified contact is not given up, even without a connection', () => {
  const known = listOf(pin('K1', { verified: true }), {})
  expect(mergePins(known, listOf(undefined, {}))).toEqual({ list: known, altered: true, restored: true })
})

test('the party of a connection stays who it was', () => {
  const known = listOf(pin('K1'))
  const merged = mergePins(known, { pins: { ...known.pins, mallory: pin('M') }, parties: { c: 'mallory' } })
  expect(merged).toMatchObject({ altered: true, restored: false })
  expect(merged.list.parties).toEqual({ c: 'ben' })
})

test('two browsers that cannot agree do not put lists in turn for ever', () => {
  const [one, other] = [listOf(pin('K1')), listOf(pin('X'))]
  expect(mergePins(one, other).restored).toBe(false)
  expect(mergePins(other, one).restored).toBe(false)
})

test('what gives way to new contacts is neither verified nor connected', () => {
  const pins = { ann: pin('A'), ben: pin('B'), cat: pin('C', { verified: true }) }
  const left = removeClosedConnections({ pins, parties: { a: 'ann', b: 'ben', c: 'cat' } }, (id) => id === 'a')
  expect(left).toEqual({ pins: { ann: pins.ann, cat: pins.cat }, parties: { a: 'ann' } })
  expect(mergePins({ pins, parties: { a: 'ann' } }, left).altered).toBe(false)
})
