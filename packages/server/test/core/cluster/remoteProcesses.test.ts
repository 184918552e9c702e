import { createSecretKey, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  createRemoteProcesses,
  type RemoteProcesses,
  type Published,
} from '../../../src/core/cluster/remoteProcesses.ts'
import { createPresence, type Presence } from '../../../src/core/cluster/presence.ts'
import { createNoticeDecryption, createNoticeEncryption } from '../../../src/core/cluster/encryptedNotices.ts'
import { createFakeClock } from '../../support/server/fakeClock.ts'

const key = createSecretKey(randomBytes(32))

interface Process {
  peers: RemoteProcesses
  presence: Presence
  taken: Published[]
  counted: { missed: number; lost: number }
}

/** Processes on one channel that delivers everything in order; `lose` makes it drop notices. */
function createChannel() {
  const clock = createFakeClock()
  const all: Process[] = []
  const said: Buffer[] = []
  const held: Buffer[] = []
  let heldOf: string | undefined
  let losing = false
  let delivering = false

  function deliver(): void {
    if (delivering) return
    delivering = true
    for (let bytes = said.shift(); bytes !== undefined; bytes = said.shift()) {
      if (bytes.toString('hex', 0, 16) === heldOf) held.push(bytes)
      else for (const { peers } of all) peers.receive(bytes)
    }
    delivering = false
  }

  function join(): Process {
    const presence = createPresence()
    const taken: Published[] = []
    const counted = { missed: 0, lost: 0 }
    const peers = createRemoteProcesses({
      key,
      clock,
      presence,
      publish(bytes) {
        if (losing) return
        said.push(bytes)
        deliver()
      },
      deliver: (published) => void taken.push(published),
      onEventsLost: () => void (counted.missed += 1),
      onNoticeLost: () => void (counted.lost += 1),
      onLeave: () => {},
    })
    const process = { peers, presence, taken, counted }
    all.push(process)
    peers.announce()
    return process
  }

  return {
    clock,
    join,
    lose: (loses: boolean) => void (losing = loses),
    /** Holds back the notices of this process. */
    hold: (process: string) => void (heldOf = process),
    /** Delivers the first `count` held notices to all processes, in order. */
    release(count: number) {
      for (const bytes of held.splice(0, count)) for (const { peers } of all) peers.receive(bytes)
    },
    hear: (bytes: Buffer) => all[0]?.peers.receive(bytes),
  }
}

const ended: Published = { kind: 'sessionEnded', event: { sessionIds: ['s'], userId: 'u' } }

/** The heartbeat of a live process: it acknowledges the other process. */
const beatOf = (seal: ReturnType<typeof createNoticeEncryption>, { peers }: Process) =>
  seal.encrypt(JSON.stringify({ kind: 'beat', event: { kind: 'beat', heard: { [peers.id]: 1 } } }))

test('what one process publishes the others take, as it was; it takes nothing of its own back', () => {
  const { join } = createChannel()
  const [one, two, three] = [join(), join(), join()]
  const notice = { userIds: ['u'], frame: '{"type":"user_changed","text":"line\\nend"}', except: 'socket' }
  const all: Published[] = [
    { kind: 'notice', event: notice },
    { kind: 'sessionEnded', event: { sessionIds: ['s'], userId: 'u', reason: 'deleted' } },
    { kind: 'notice', event: { userIds: ['v', 'u'], frame: '{}' } },
  ]
  one.peers.send(all)
  expect([one.taken, two.taken, three.taken]).toEqual([[], all, all])
})

test('a user is online while any process has them; a removed process takes its users along', () => {
  const { join } = createChannel()
  const [one, two, three] = [join(), join(), join()]
  const changes: [string, boolean][] = []
  three.presence.onChange((userId, online) => void changes.push([userId, online]))
  one.peers.setOnline('anna', true)
  two.peers.setOnline('anna', true)
  two.peers.setOnline('ben', true)
  one.peers.setOnline('anna', false)
  expect([one, two, three].map(({ presence }) => presence.isOnline('anna'))).toEqual([true, true, true])
  three.peers.remove(two.peers.id)
  expect(changes).toEqual([
    ['anna', true],
    ['ben', true],
    ['anna', false],
    ['ben', false],
  ])
  // It was only paused: with its next heartbeat, it announces its online members again.
  two.peers.beat()
  expect([three.presence.isOnline('anna'), three.presence.isOnline('ben')]).toEqual([true, true])
})

test('a process that joins learns who is online, thousands of them', () => {
  const { join } = createChannel()
  const one = join()
  for (let n = 0; n < 1_234; n++) one.peers.setOnline(`user${n}`, true)
  const two = join()
  expect(two.presence.usersOf(one.peers.id)).toHaveLength(1_234)
  two.peers.setOnline('late', true)
  expect(one.presence.isOnline('late')).toBe(true)
})

test('a process that skips a sequence number knows of a loss, and asks who is online', () => {
  const { join, lose } = createChannel()
  const [one, two] = [join(), join()]
  const before = { ...two.counted }
  lose(true)
  one.peers.setOnline('anna', true)
  one.peers.send([{ kind: 'policyChanged', event: { organizationId: 'o' } }])
  lose(false)
  expect(two.counted).toEqual(before)
  one.peers.beat()
  expect([two.counted.missed - before.missed, two.counted.lost - before.lost]).toEqual([1, 1])
  expect(two.presence.isOnline('anna')).toBe(true)
  one.peers.beat()
  expect(two.counted.missed - before.missed).toBe(1)
})

test('heartbeats tell a process until when it has received everything from itself and the others', () => {
  const { clock, join } = createChannel()
  const [one, two] = [join(), join()]
  const current = () => [one.peers.currentAt(one.peers.id), one.peers.currentAt(two.peers.id)]
  clock.advance(1_000)
  const asked = clock.now()
  one.peers.beat()
  expect(current()).toEqual([asked, asked - 1_000])
  clock.advance(1_000)
  two.peers.beat()
  expect([current(), one.peers.receivedAt(two.peers.id)]).toEqual([[asked, asked], clock.now()])
  clock.advance(1_000)
  two.peers.send([ended])
  expect([current(), one.peers.receivedAt(two.peers.id)]).toEqual([[asked, asked], clock.now()])
  expect([one.peers.receivedAt('nobody'), one.peers.currentAt('nobody')]).toEqual([-Infinity, -Infinity])
})

test('notices that are held back and come whole, one after the other, do not look new', () => {
  const { clock, join, hold, release } = createChannel()
  const [one, two] = [join(), join()]
  one.peers.beat()
  two.peers.beat()
  const known = one.peers.currentAt(two.peers.id)
  expect(known).toBe(clock.now())
  hold(two.peers.id)
  two.peers.send([ended])
  for (let beats = 0; beats < 10; beats++) {
    clock.advance(1_000)
    one.peers.beat()
    two.peers.beat()
  }
  const missed = one.counted.missed
  release(5)
  expect([one.taken.length, one.counted.missed, one.peers.receivedAt(two.peers.id)]).toEqual([1, missed, clock.now()])
  // The last of these was sent four seconds after the first was held back.
  expect(one.peers.currentAt(two.peers.id)).toBe(known + 4_000)
  release(Infinity)
  expect(one.peers.currentAt(two.peers.id)).toBe(clock.now())
})

test('what others put on the channel, cut short, changed or played again is not heard', () => {
  const { join, hear } = createChannel()
  const one = join()
  const notice = JSON.stringify(ended)
  const seal = createNoticeEncryption(key)
  hear(beatOf(seal, one))
  const sealed = seal.encrypt(notice)
  const changed = Buffer.from(sealed)
  changed[30] = (changed[30] ?? 0) ^ 1
  const foreign = createNoticeEncryption(createSecretKey(randomBytes(32))).encrypt(notice)
  for (const bytes of [
    Buffer.alloc(0),
    Buffer.from('PING'),
    randomBytes(5_000),
    changed,
    foreign,
    sealed.subarray(0, 40),
  ])
    expect(() => hear(bytes)).not.toThrow()
  expect(one.taken).toEqual([])
  hear(sealed)
  hear(sealed)
  expect(one.taken).toHaveLength(1)
})

test('a number of another notice, or of another process, opens nothing', () => {
  const [seal, other, open] = [createNoticeEncryption(key), createNoticeEncryption(key), createNoticeDecryption(key)]
  const bytes = seal.encrypt('text')
  expect(open(bytes)).toEqual({ process: seal.process, n: 1, text: 'text' })
  const renumbered = Buffer.from(bytes)
  renumbered.writeUIntBE(2, 16, 6)
  const renamed = Buffer.from(bytes)
  Buffer.from(other.process, 'hex').copy(renamed)
  expect([open(renumbered), open(renamed)]).toEqual([undefined, undefined])
})

test('a number that was used up without a notice is missed by all others, once', () => {
  const { join } = createChannel()
  const [one, two, three] = [join(), join(), join()]
  const before = [two, three].map(({ counted }) => counted.missed)
  one.peers.leaveGap()
  one.peers.beat()
  one.peers.beat()
  expect([two, three].map(({ counted }, at) => counted.missed - (before[at] ?? 0))).toEqual([1, 1])
})

test('what a process said before it was forgotten is not heard when it is played again', () => {
  const { join, hear } = createChannel()
  const one = join()
  const seal = createNoticeEncryption(key)
  hear(beatOf(seal, one))
  const kept = [1, 2, 3].map((n) =>
    seal.encrypt(JSON.stringify({ kind: 'policyChanged', event: { organizationId: `o${n}` } })),
  )
  for (const bytes of kept) hear(bytes)
  one.peers.remove(seal.process)
  const missed = one.counted.missed
  for (const bytes of kept) hear(bytes)
  expect([one.taken.length, one.counted.missed, [...one.peers.connectedIds()]]).toEqual([3, missed, []])
  // It was only paused, and continues where it was once it has acknowledged this process again.
  hear(seal.encrypt(JSON.stringify({ kind: 'policyChanged', event: { organizationId: 'o4' } })))
  expect([one.taken.length, one.counted.missed]).toEqual([3, missed])
  hear(beatOf(seal, one))
  expect([one.counted.missed - missed, one.counted.lost]).toEqual([1, 1])
  hear(seal.encrypt(JSON.stringify({ kind: 'policyChanged', event: { organizationId: 'o5' } })))
  expect(one.taken).toHaveLength(4)
})

test('a recording of a process that ended before this one started is not believed', () => {
  const { join, hear } = createChannel()
  const ended = createNoticeEncryption(key)
  const record = [
    { kind: 'who', of: undefined, heard: {} },
    { kind: 'users', userIds: ['ghost'], isFirst: true, isLast: true },
    { kind: 'beat', heard: { [createNoticeEncryption(key).process]: 3 } },
  ].map((told) => ended.encrypt(JSON.stringify({ kind: told.kind, event: told })))
  const limit = { kind: 'idleLimitChanged', event: { userIds: ['u'], idleLimit: 2_592_000_000 } }
  record.push(ended.encrypt(JSON.stringify(limit)))
  const [one] = [join(), join()]
  const before = { ...one.counted }
  for (const bytes of [...record, ...record]) hear(bytes)
  expect([one.taken, one.presence.isOnline('ghost'), one.counted]).toEqual([[], false, before])
  expect(one.peers.currentAt(ended.process)).toBe(-Infinity)
})
