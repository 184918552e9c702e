import { randomBytes } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import { checkSecret } from '../audit/signingKey.ts'
import { type Bus, type BusEvents, createBus, isSharedEvent } from './bus.ts'
import type { Clock, Stop } from '../clock.ts'
import { ConfigError } from '../config/config.ts'
import type { Db } from '../database/types.ts'
import { createLease, type Lease } from './lease.ts'
import { batchPerTick } from '../async/batches.ts'
import { createRemoteProcesses, type RemoteProcesses, type Published } from './remoteProcesses.ts'
import { createPresence, here, type Presence } from './presence.ts'
import { createRegistry, maxRegistryAgeMs } from './registry.ts'
import { registryTimes } from '../database/processHeartbeat.ts'
import type { Secrets } from '../secrets/secrets.ts'
import { openValkey, type Valkey } from './valkey.ts'

/** This process and the other processes of the same deployment. */
export interface Processes {
  /** The id of this process, new at each start; undefined if there can be only one process. */
  id: string | undefined
  bus: Bus
  presence: Pick<Presence, 'isOnline' | 'onChange'>
  /** Records that a user's first socket in this process is ready, or that the last one is gone. */
  setOnline(userId: string, online: boolean): void
  /** Decides which process runs the jobs; undefined if there can be only one process. */
  lease: Lease | undefined
  /** Counts shared by all processes, and the prefix of their keys. */
  counts: { count: Valkey['count']; prefix: string } | undefined
  /** The other living processes, as of the last read of the database. */
  otherIds(): ReadonlySet<string>
  /** Reports a commit that may have been kept without publishing its events (`DbOptions.onUncertain`). */
  reportUncertainCommit(): void
  /** Registers this process, before it serves anything. */
  join(): Promise<void>
  /** Resolves once the database work under way has ended. */
  settled(): Promise<void>
  leave(): Promise<void>
}

/**
 * Milliseconds. `beat`: interval of heartbeats; each acknowledges those before it, so acknowledgements are up to two
 * beats old. `suspect`: a process that has acknowledged no heartbeat of ours from this period may have revoked access
 * that is cached here. `recheck`: meanwhile, open sockets and transfers are revalidated at this interval. `reconnect`:
 * the connections to Valkey are opened again if no heartbeat of ours has come back for this long.
 */
export const linkTimes = { beat: 500, suspect: 3_000, recheck: 3_000, reconnect: 6_000 }

/**
 * After a commit without a response, caches are discarded again at these times. The database server may still process
 * the commit until it ends a silent transaction (`sessionTimeouts` in postgres/connect.ts).
 */
const uncertainDelaysMs = [3_000, 12_000, 36_000]

export interface ProcessesOptions {
  db: Db
  clock: Clock
  log: FastifyBaseLogger
  secrets: Secrets
  /** Without it processes exchange no events, and each reads the database. */
  valkeyUrl: string | undefined
  /** Called if this process was removed as gone and the secret was replaced meanwhile, so it must end. */
  onShutOut?(error: ConfigError): void
}

interface Link {
  remotes: RemoteProcesses
  valkey: Valkey
  prefix: string
}

/** Creates one of several processes that share a database. */
export function createProcesses({ db, clock, log, secrets, valkeyUrl, onShutOut }: ProcessesOptions): Processes {
  const presence = createPresence()
  const bus = createBus({ send, receivesAllEvents })
  let isUp = false
  let whole = false
  let checkedAt = Number.NEGATIVE_INFINITY
  let eventsLostAt = Number.NEGATIVE_INFINITY
  let reconnectedAt = clock.now()
  let beating: Promise<void> = Promise.resolve()
  let stops: Stop[] = []
  let pendingRechecks: Stop[] = []
  const link = valkeyUrl === undefined ? undefined : openLink(valkeyUrl)
  const id = link?.remotes.id ?? randomBytes(16).toString('hex')
  const registry = createRegistry({
    db,
    clock,
    id,
    admit: (tx) => checkSecret(tx, secrets),
    onReturned: reportEventsLost,
    onVanished: reportEventsLost,
  })
  const lease = createLease(db, 'jobs', id)

  function openLink(url: string): Link {
    const prefix = `privity:${secrets.derive('valkey-prefix').export().toString('hex').slice(0, 16)}`
    const remotes = createRemoteProcesses({
      key: secrets.derive('notices'),
      clock,
      presence,
      publish: (bytes) => valkey.publish(bytes),
      deliver,
      onEventsLost: reportEventsLost,
      onNoticeLost: () => bus.publishHere('eventsRestored', {}),
      onLeave: (process) => registry.remove(process),
    })
    const valkey = openValkey({ url, channel: `${prefix}:notices`, onMessage: receive, onChange: setUp, log })
    function logFailure(work: () => void): void {
      try {
        work()
      } catch (error) {
        log.error({ err: error }, 'a notice of another process')
      }
    }
    // A failing event must not hold back the rest of its batch.
    function deliver({ kind, event }: Published): void {
      logFailure(() => bus.publishHere(kind, event))
    }
    function receive(bytes: Buffer): void {
      logFailure(() => remotes.receive(bytes))
    }
    return { remotes, valkey, prefix }
  }

  const sendBatched = batchPerTick<Published>((all) => link?.remotes.send(all))

  function send<K extends keyof BusEvents>(kind: K, event: BusEvents[K]): void {
    if (link !== undefined && isSharedEvent(kind)) sendBatched({ kind, event } as Published)
  }

  /** False after a pause of this process, because `check` did not run meanwhile. */
  function receivesAllEvents(): boolean {
    return whole && clock.now() - checkedAt < (link === undefined ? maxRegistryAgeMs : linkTimes.suspect)
  }

  const isRegistryCurrent = () => clock.now() - registry.refreshedAt() < maxRegistryAgeMs

  function reportEventsLost(): void {
    eventsLostAt = clock.now()
    bus.publishHere('eventsLost', {})
  }

  /** The lost events may include notices to browsers of this process, which sees no gap in its own numbers. */
  function reportOwnEventsLost(): void {
    link?.remotes.leaveGap()
    reportEventsLost()
    bus.publishHere('eventsRestored', {})
  }

  function reportUncertainCommit(): void {
    for (const stop of pendingRechecks) stop()
    pendingRechecks = uncertainDelaysMs.map((delayMs) => clock.after(delayMs, reportOwnEventsLost))
    reportOwnEventsLost()
  }

  function setUp(connected: boolean): void {
    isUp = connected
    reconnectedAt = clock.now()
    if (isUp) link?.remotes.announce()
    if (isUp) link?.remotes.beat()
    check()
  }

  /** Whether events arrive through Valkey from every process in the database, including this one. */
  function receivesAll(): boolean {
    if (link === undefined) return isRegistryCurrent() && registry.others().size === 0
    const now = clock.now()
    const isCurrent = (process: string) => now - link.remotes.currentAt(process) < linkTimes.suspect
    return isUp && isRegistryCurrent() && isCurrent(id) && [...registry.others()].every(isCurrent)
  }

  function check(): void {
    const wasWhole = receivesAllEvents()
    const now = clock.now()
    whole = receivesAll()
    checkedAt = now
    if (whole !== wasWhole) {
      if (whole) log.info('processes: every notice is heard')
      else log.warn('processes: notices may be missed; nothing is trusted from memory until they are heard again')
      reportEventsLost()
      if (whole) bus.publishHere('eventsRestored', {})
    } else if (!whole && now - eventsLostAt >= linkTimes.recheck) reportEventsLost()
  }

  /** Reconnects to Valkey if our own heartbeats do not come back: a cut cable closes no connection. */
  function reconnectIfSilent({ valkey, remotes }: Link): void {
    const now = clock.now()
    const since = Math.max(reconnectedAt, remotes.currentAt(id))
    if (now - since < linkTimes.reconnect) return
    reconnectedAt = now
    valkey.reconnect()
  }

  function tick({ remotes }: Link): void {
    remotes.beat()
    const now = clock.now()
    for (const process of [...remotes.connectedIds()])
      if (!registry.others().has(process) && now - remotes.receivedAt(process) >= linkTimes.suspect)
        remotes.remove(process)
  }

  function beat(): void {
    beating = beating
      .then(async () => {
        await registry.beat()
        await lease.renew(registry.others())
      })
      .catch((error: unknown) => {
        log.error({ err: error }, 'the sign of life in the database')
        if (error instanceof ConfigError) onShutOut?.(error)
      })
      .then(check)
  }

  return {
    id,
    bus,
    presence,
    setOnline: (userId, online) => (link ? link.remotes.setOnline(userId, online) : presence.set(here, userId, online)),
    lease,
    counts: link && { count: link.valkey.count, prefix: link.prefix },
    otherIds: registry.others,
    reportUncertainCommit,
    async join() {
      await registry.beat()
      await lease.renew(registry.others())
      check()
      stops = [clock.every(registryTimes.beat, beat)]
      if (link === undefined) return
      stops.push(
        clock.every(linkTimes.beat, () => {
          tick(link)
          reconnectIfSilent(link)
          check()
        }),
      )
    },
    settled: () => beating,
    async leave() {
      for (const stop of [...stops, ...pendingRechecks]) stop()
      await beating
      try {
        await lease.release()
        await registry.leave()
        link?.remotes.leave()
      } finally {
        whole = false
        await link?.valkey.close()
      }
    },
  }
}
