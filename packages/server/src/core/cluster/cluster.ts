import { randomBytes } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import { checkSecret } from '../audit/signingKey.ts'
import { type Bus, type BusEvents, createBus, isCarried } from './bus.ts'
import type { Clock, Stop } from '../clock.ts'
import { ConfigError } from '../config/config.ts'
import type { Db } from '../database/types.ts'
import { createLease, type Lease } from './lease.ts'
import { batchPerTick } from '../async/batches.ts'
import { createPeers, type Peers, type Published } from './peers.ts'
import { createPresence, here, type Presence } from './presence.ts'
import { createRegistry, knownFor } from './registry.ts'
import { registryTimes } from '../database/processHeartbeat.ts'
import type { Secrets } from '../secrets/secrets.ts'
import { openValkey, type Valkey } from './valkey.ts'

/** This process and the other processes of the same deployment. */
export interface Processes {
  /** This process, from its start to its end; undefined if there can be only one. */
  id: string | undefined
  bus: Bus
  presence: Pick<Presence, 'isOnline' | 'onChange'>
  /** A user's first socket in this process is ready, or the last one is gone. */
  setOnline(userId: string, online: boolean): void
  /** Decides which process runs the jobs; undefined if there can be only one, which holds the data folder. */
  lease: Lease | undefined
  /** Counts shared by all processes, and the prefix of their keys. */
  counts: { count: Valkey['count']; prefix: string } | undefined
  /** Other processes alive, by the last look into the database. */
  others(): ReadonlySet<string>
  /** A commit of this process may have been kept without any notice of it (`DbOptions.onUncertain`). */
  uncertain(): void
  /** Registers this process, before it serves anything. */
  join(): Promise<void>
  /** Resolves once the database work under way has ended. */
  settled(): Promise<void>
  leave(): Promise<void>
}

/**
 * Milliseconds. A process of which nothing newer than `suspect` has arrived may have ended access that is cached here;
 * open sockets and transfers are checked again every `recheck` while that lasts. A link that is silent for `reconnect`
 * is dropped. A beat acknowledges the previous beat of another process, so acknowledgements are up to two beats old.
 */
export const linkTimes = { beat: 500, suspect: 3_000, recheck: 3_000, reconnect: 6_000 }

/**
 * When (ms) the effects of a commit without a response are looked for again. The database server may process it until
 * it ends a silent transaction (`sessionTimeouts` in postgres/connect.ts), and no later.
 */
const uncertainFor = [3_000, 12_000, 36_000]

export interface ProcessesOptions {
  db: Db
  clock: Clock
  log: FastifyBaseLogger
  secrets: Secrets
  /** Without it processes exchange no notices, and each reads the database. */
  valkeyUrl: string | undefined
  /** This process was removed as gone, and the server's secret was replaced meanwhile, so it must end. */
  shutOut?(error: ConfigError): void
}

interface Link {
  peers: Peers
  valkey: Valkey
  prefix: string
}

/** Creates one of several processes that share a database. */
export function createProcesses({ db, clock, log, secrets, valkeyUrl, shutOut }: ProcessesOptions): Processes {
  const presence = createPresence()
  const bus = createBus({ send, isWhole })
  let isUp = false
  let whole = false
  let lookedAt = Number.NEGATIVE_INFINITY
  let missedAt = Number.NEGATIVE_INFINITY
  let droppedAt = clock.now()
  let beating: Promise<void> = Promise.resolve()
  let stops: Stop[] = []
  let looksAgain: Stop[] = []
  const link = valkeyUrl === undefined ? undefined : openLink(valkeyUrl)
  const id = link?.peers.id ?? randomBytes(16).toString('hex')
  const registry = createRegistry({
    db,
    clock,
    id,
    admit: (tx) => checkSecret(tx, secrets),
    returned: missed,
    vanished: missed,
  })
  const lease = createLease(db, 'jobs', id)

  function openLink(url: string): Link {
    const prefix = `privity:${secrets.derive('valkey-prefix').export().toString('hex').slice(0, 16)}`
    const peers = createPeers({
      key: secrets.derive('notices'),
      clock,
      presence,
      publish: (bytes) => valkey.publish(bytes),
      take,
      missed,
      lost: () => bus.publishHere('healed', {}),
      left: (process) => registry.drop(process),
    })
    const valkey = openValkey({ url, channel: `${prefix}:notices`, hear, changed, log })
    function attempt(work: () => void): void {
      try {
        work()
      } catch (error) {
        log.error({ err: error }, 'a notice of another process')
      }
    }
    // A failing notice must not hold back the rest of its batch.
    function take({ kind, event }: Published): void {
      attempt(() => bus.publishHere(kind, event))
    }
    function hear(bytes: Buffer): void {
      attempt(() => peers.hear(bytes))
    }
    return { peers, valkey, prefix }
  }

  const sendTogether = batchPerTick<Published>((all) => link?.peers.send(all))

  function send<K extends keyof BusEvents>(kind: K, event: BusEvents[K]): void {
    if (link !== undefined && isCarried(kind)) sendTogether({ kind, event } as Published)
  }

  /** False after a pause of this process, because `look` did not run meanwhile. */
  function isWhole(): boolean {
    return whole && clock.now() - lookedAt < (link === undefined ? knownFor : linkTimes.suspect)
  }

  /** Whether the list of processes was read from the database recently. */
  const isKnown = () => clock.now() - registry.lookedAt() < knownFor

  function missed(): void {
    missedAt = clock.now()
    bus.publishHere('missed', {})
  }

  function tellMissed(): void {
    link?.peers.leaveGap()
    missed()
  }

  function uncertain(): void {
    for (const stop of looksAgain) stop()
    looksAgain = uncertainFor.map((later) => clock.after(later, tellMissed))
    tellMissed()
  }

  function changed(nowUp: boolean): void {
    isUp = nowUp
    droppedAt = clock.now()
    if (isUp) link?.peers.greet()
    if (isUp) link?.peers.beat()
    look()
  }

  /** Whether notices arrive through Valkey from this process itself and from every process in the database. */
  function hearsAll(): boolean {
    if (link === undefined) return isKnown() && registry.others().size === 0
    const now = clock.now()
    const isCurrent = (process: string) => now - link.peers.currentAt(process) < linkTimes.suspect
    return isUp && isKnown() && isCurrent(id) && [...registry.others()].every(isCurrent)
  }

  function look(): void {
    const was = isWhole()
    const now = clock.now()
    whole = hearsAll()
    lookedAt = now
    if (whole !== was) {
      if (whole) log.info('processes: every notice is heard')
      else log.warn('processes: notices may be missed; nothing is trusted from memory until they are heard again')
      missed()
      if (whole) bus.publishHere('healed', {})
    } else if (!whole && now - missedAt >= linkTimes.recheck) missed()
  }

  /** A cut cable closes no connection, so a silent link is dropped and opened again. */
  function dropSilent({ valkey, peers }: Link): void {
    const now = clock.now()
    const since = Math.max(droppedAt, peers.currentAt(id))
    if (now - since < linkTimes.reconnect) return
    droppedAt = now
    valkey.reconnect()
  }

  function tick({ peers }: Link): void {
    peers.beat()
    const now = clock.now()
    for (const process of [...peers.heard()])
      if (!registry.others().has(process) && now - peers.heardAt(process) >= linkTimes.suspect) peers.forget(process)
  }

  function beat(): void {
    beating = beating
      .then(async () => {
        await registry.beat()
        await lease.renew(registry.others())
      })
      .catch((error: unknown) => {
        log.error({ err: error }, 'the sign of life in the database')
        if (error instanceof ConfigError) shutOut?.(error)
      })
      .then(look)
  }

  return {
    id,
    bus,
    presence,
    setOnline: (userId, online) => (link ? link.peers.setOnline(userId, online) : presence.set(here, userId, online)),
    lease,
    counts: link && { count: link.valkey.count, prefix: link.prefix },
    others: registry.others,
    uncertain,
    async join() {
      await registry.beat()
      await lease.renew(registry.others())
      look()
      stops = [clock.every(registryTimes.beat, beat)]
      if (link === undefined) return
      stops.push(
        clock.every(linkTimes.beat, () => {
          tick(link)
          dropSilent(link)
          look()
        }),
      )
    },
    settled: () => beating,
    async leave() {
      for (const stop of [...stops, ...looksAgain]) stop()
      await beating
      try {
        await lease.release()
        await registry.leave()
        link?.peers.leave()
      } finally {
        whole = false
        await link?.valkey.close()
      }
    },
  }
}
