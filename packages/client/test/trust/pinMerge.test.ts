import { expect, test } from 'vitest'
import type { Pin, PinList } from '../../src/trust/pinList.ts'
import { mergePins, removeClosedConnections } from '../../src/trust/pinMerge.ts'

const pin = (identityKey: string, more: Partial<Pin> = {}): Pin => ({
  ...{ identityKey, previous: [], linked: false, since: 1 },
  ...{ verified: false, verifiedAt: more.verified ? 4 : 0, paused: false, pausedAt: more.paused ? 4 : 0 },
  ...more,
})
const listOf = (ben: Pin | undefined, parties: Record<string, string> = { c: 'ben' }): PinList => ({
  pins: ben ? { ben } : {},
  parties,
})

test.each<[string, PinList, PinList]>([
  ['the same', listOf(pin('K1')), listOf(pin('K1'))],
  ['verified elsewhere', listOf(pin('K1')), listOf(pin('K1', { verified: true }))],
  ['no longer verified elsewhere', listOf(pin('K1', { verified: true })), listOf(pin('K1', { verifiedAt: 5 }))],
  ['resumed elsewhere', listOf(pin('K1', { paused: true })), listOf(pin('K1', { pausedAt: 5 }))],
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
  ['a contact has a key accepted in the place of a third one', pin('K1'), pin('X', { previous: ['Y'] }), false],
  ['both are verified', pin('K1', { verified: true }), pin('X', { verified: true }), false],
  ['an accepted key is taken back', pin('K2', { previous: ['K1'] }), pin('K1'), false],
])('what is known stays where %s', (_what, known, newer, restored) => {
  const merged = mergePins(listOf(known), listOf(newer))
  expect(merged).toEqual({ list: listOf(known), altered: true, restored })
})

test('a connection that another browser has removed for lack of space stays, without an alarm', () => {
  const merged = mergePins(listOf(pin('K1')), listOf(pin('K1'), {}))
  expect(merged).toEqual({ list: listOf(pin('K1')), altered: false, restored: false })
})

test('a key verified elsewhere counts more than another one that was only met here', () => {
  const verified = pin('K1', { verified: true })
  expect(mergePins(listOf(pin('X')), listOf(verified))).toEqual({
    list: listOf(verified),
    altered: true,
    restored: false,
  })
})

const unverified = pin('K1', { verifiedAt: 5 })
const paused = pin('K1', { paused: true, pausedAt: 5 })
test.each<[string, Pin, Pin]>([
  ['no longer verified', unverified, pin('K1', { verified: true, name: 'Ben' })],
  ['no longer verified, at the same time', unverified, pin('K1', { verified: true, verifiedAt: 5 })],
  ['verified', pin('K1', { verified: true, verifiedAt: 5, name: 'Ben' }), pin('K1', { verifiedAt: 4 })],
  ['paused', paused, pin('K1')],
  ['paused, at the same time', paused, pin('K1', { pausedAt: 5 })],
  ['resumed', pin('K1', { pausedAt: 5 }), pin('K1', { paused: true })],
])('a list made without a change here does not take it back: %s', (_what, known, newer) => {
  expect(mergePins(listOf(known), listOf(newer))).toEqual({ list: listOf(known), altered: true, restored: true })
})

test('a pause stays where the contact was verified later in a list made without it', () => {
  const { list } = mergePins(listOf(paused), listOf(pin('K1', { verified: true, verifiedAt: 9 })))
  expect(list.pins['ben']).toMatchObject({ paused: true, verified: true })
})

test('a pause stays where another key was accepted in a list made without it', () => {
  const accepted = pin('K2', { previous: ['K1'] })
  expect(mergePins(listOf(paused), listOf(accepted)).list.pins['ben']).toMatchObject({
    identityKey: 'K2',
    paused: true,
  })
})

test('a verification counts for its own key only', () => {
  const accepted = pin('K2', { previous: ['K1'] })
  const known = listOf(pin('K1', { verified: true, verifiedAt: 9 }))
  expect(mergePins(known, listOf(accepted)).list).toEqual(listOf(accepted))
})

test('a key that the user has replaced does not come back, however it is verified', () => {
  const known = listOf(pin('K2', { previous: ['K1'] }))
  const merged = mergePins(known, listOf(pin('K1', { verified: true, verifiedAt: 9 })))
  expect(merged).toMatchObject({ list: known, altered: true })
})

test.each<[string, Partial<Pin>]>([
  ['verified', { verified: true }],
  ['paused', { paused: true }],
  ['not verified any more', { verifiedAt: 5 }],
  ['resumed', { pausedAt: 5 }],
])('a contact whom the user has marked as %s is not given up without a connection', (_mark, marked) => {
  const known = listOf(pin('K1', marked), {})
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

test('what gives way to new contacts is neither verified, paused nor connected', () => {
  const pins = { ann: pin('A'), ben: pin('B'), cat: pin('C', { verified: true }), dan: pin('D', { paused: true }) }
  const parties = { a: 'ann', b: 'ben', c: 'cat', d: 'dan' }
  const left = removeClosedConnections({ pins, parties }, (id) => id === 'a')
  expect(left).toEqual({ pins: { ann: pins.ann, cat: pins.cat, dan: pins.dan }, parties: { a: 'ann' } })
  expect(mergePins({ pins, parties: { a: 'ann' } }, left).altered).toBe(false)
})
