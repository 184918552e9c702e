import type { LookupAddress } from 'node:dns'
import type { ConnectionOptions } from 'node:tls'
import type { FastifyBaseLogger } from 'fastify'
import type { Endpoint } from '@privity/contract/endpoint'
import type { AuditKey } from './audit/signingKey.ts'
import type { Background } from './async/background.ts'
import type { Bus } from './cluster/bus.ts'
import type { Clock } from './clock.ts'
import type { FactorCheck } from './sessions/secondFactorCache.ts'
import type { Config } from './config/types.ts'
import type { Db } from './database/types.ts'
import type { FounderSessions } from './sessions/founderSessions.ts'
import type { LoopDelay } from './metrics/eventLoopDelay.ts'
import type { Mail } from './mail/mailer.ts'
import type { Metrics } from './metrics/metrics.ts'
import type { Processes } from './cluster/cluster.ts'
import type { Passwords } from './sessions/passwords.ts'
import type { Rates } from './rateLimits/rateLimits.ts'
import type { DeniedCalls } from './metrics/deniedCalls.ts'
import type { SentMessages } from './metrics/messagesPerMinute.ts'
import type { Secrets } from './secrets/secrets.ts'
import type { Sessions } from './sessions/sessions.ts'
import type { Sockets } from './websocket/types.ts'
import type { Storage } from './storage/types.ts'

/** A call whose body or response is not JSON; media types replace the schemas. */
export type RawCall = Omit<Endpoint, 'body' | 'bodyBytes' | 'result'> & {
  requestType?: string
  responseTypes: readonly string[]
}

/** Origins of the services that deliver alerts. Only tests replace them: no setting may send a key to another host. */
export interface AlertEndpoints {
  sendgrid: string
  twilio: string
}

/** The way to push services. Only tests replace it: no setting may open the server's own network to an endpoint. */
export interface PushNetwork {
  resolve(host: string): Promise<readonly LookupAddress[]>
  isPublic(address: string): boolean
  port: number
  /** Beyond Node's defaults. */
  tls: ConnectionOptions
}

/** The parts of the server that features use. */
export interface Core {
  config: Config
  clock: Clock
  /** For how long the clock has not been set, in milliseconds. */
  steadyTime(): number
  background: Background
  db: Db
  bus: Bus
  processes: Pick<Processes, 'id' | 'otherIds'>
  sessions: Sessions
  founderSessions: FounderSessions
  sockets: Sockets
  sentMessages: SentMessages
  storage: Storage
  rates: Rates
  secrets: Secrets
  auditKey: AuditKey
  passwords: Passwords
  mail: Mail
  alertEndpoints: AlertEndpoints
  pushNetwork: PushNetwork
  /** Whether a member may do nothing until they set up the second factor that their organization requires. */
  isFactorMissing(userId: string): Promise<boolean>
  /** Whether the founder may do nothing until the password generated at the first start is replaced. */
  isFounderPasswordGenerated(): Promise<boolean>
  factorCheck: FactorCheck
  log: FastifyBaseLogger
  deniedCalls: DeniedCalls
  metrics: Metrics
  loopDelay: LoopDelay
  /** Whether the server is stopping: its health check reports that, so load balancers send traffic elsewhere. */
  isDraining(): boolean
  /** Every mounted endpoint, for the API document and for tests that visit all of them. */
  endpoints: Endpoint[]
  /** Mounted calls whose request or response is not JSON, for the API document. */
  rawCalls: RawCall[]
}
