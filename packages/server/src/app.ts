import type { Server } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { logRequests } from './core/http/accessLog.ts'
import { createSingleProcess } from './core/cluster/singleProcess.ts'
import { serveApiDocument } from './core/http/openApi.ts'
import { loadAuditKey } from './core/audit/signingKey.ts'
import { createBackground, trackCalls } from './core/async/background.ts'
import { type Clock, systemClock } from './core/clock.ts'
import { watchSteadyTime } from './core/steadyTime.ts'
import type { Config } from './core/config/types.ts'
import type { AlertEndpoints, Core, PushNetwork } from './core/core.ts'
import { createFounderSessions } from './core/sessions/founderSessions.ts'
import { openDb } from './core/database/database.ts'
import { isFull } from './core/database/errors.ts'
import { handleErrors, sendError } from './core/http/errorHandler.ts'
import { createFactorCheck } from './core/sessions/secondFactorCache.ts'
import { newId } from './core/ids.ts'
import { addSecurityHeaders, rawErrorHeaders } from './core/http/securityHeaders.ts'
import { assertNoInterruptedRestore, databasePath, makeDataDir, NoSpaceLeft } from './core/dataFolder/dataFolder.ts'
import { type CountRefusal, handleParserErrors, createHttpServer } from './core/http/server.ts'
import { readJsonBodies } from './core/http/jsonBody.ts'
import { lockDataDir } from './core/dataFolder/lock.ts'
import { rejectForeignHosts, foreignHostError } from './core/http/originCheck.ts'
import { loggerOptions } from './core/log.ts'
import { watchLoopDelay } from './core/metrics/eventLoopDelay.ts'
import { createMail } from './core/mail/mailer.ts'
import { silenceIfRestored } from './core/mail/silence.ts'
import { countRefusals, measureBatches, measureRequests } from './core/metrics/measurements.ts'
import { measureJobs, schedule } from './core/jobs/scheduler.ts'
import { createMetrics, type Metrics } from './core/metrics/metrics.ts'
import { revalidateOpenSessions } from './core/sessions/revalidateOpenAccess.ts'
import { createPasswords, watchPasswordCosts, type PasswordCost } from './core/sessions/passwords.ts'
import { trustedProxies } from './core/http/callerAddress.ts'
import { acceptUpgrades } from './core/http/upgrade.ts'
import type { Processes } from './core/cluster/cluster.ts'
import { createRates, type RateLimits, type SharedCounts } from './core/rateLimits/rateLimits.ts'
import { createDeniedCalls } from './core/metrics/deniedCalls.ts'
import { usePreservedKeys, completeRotation } from './core/secrets/rotation.ts'
import { loadSecrets, type Secrets } from './core/secrets/secrets.ts'
import { createSentMessages, type SentMessages } from './core/metrics/messagesPerMinute.ts'
import { createSessions } from './core/sessions/sessions.ts'
import { createSharedCounts } from './core/rateLimits/sharedCounts.ts'
import { createSockets } from './core/websocket/sockets.ts'
import { openStorage } from './core/storage/storage.ts'
import { serveWeb } from './core/http/pages/staticFiles.ts'
import { features, jobs } from './features.ts'
import type { Migrations } from './migrations/list.ts'
import { signHead } from './features/auditLogs/heads.ts'
import { type FirstStart, prepareDeployment } from './features/config/firstStart.ts'
import {
  type DeriveFounderSecret,
  deriveFounderSecret,
  isPasswordGenerated,
  markPasswordPrinted,
} from './features/founder/session/verifier.ts'
import { alertEndpoints } from './features/founder/alerts/httpServices.ts'
import { internet } from './features/push/pushServices.ts'
import { listTransferSessions } from './features/files/activeTransfers.ts'
import { isFactorMissing as isMissing, listUsersMissingFactor } from './features/secondFactor/enrollment.ts'
import { limits } from '@privity/contract/limits'

export interface Options {
  clock?: Clock
  log?: FastifyBaseLogger
  /** For benchmarks that send more from one address than a person would. */
  rateLimits?: Partial<RateLimits>
  /** For tests that sign up many people and are about something else. */
  passwordCost?: PasswordCost
  /** For tests, which start hundreds of servers: the real derivation takes a fifth of a second. */
  deriveFounderSecret?: DeriveFounderSecret
  /** For tests of how releases share a database. */
  migrations?: Migrations
  /** A stand-in for the services that deliver alerts, for tests. */
  alertEndpoints?: AlertEndpoints
  /** The way to a stand-in for the push services, for tests. */
  pushNetwork?: PushNetwork
}

export interface App {
  app: FastifyInstance
  core: Core
  /** Facts for the operator, printed once. */
  firstStart: FirstStart
  /** Call it once `firstStart` is printed: before that, the next start makes a new password for the founder. */
  printed(): void
  /** Resolves once the jobs under way have finished. */
  settled(): Promise<void>
  /** Serves on for DRAIN_DELAY, but accepts no more sockets and reports at /api/health that it is stopping. */
  drain(): Promise<void>
  /** Finishes requests under way, closes sockets with code 1012, then closes the database. */
  close(): Promise<void>
}

function createFastify(config: Config, log: FastifyBaseLogger | undefined, count: CountRefusal): FastifyInstance {
  const refusalHeaders = rawErrorHeaders(config)
  return Fastify<Server>({
    ...(log === undefined ? { logger: loggerOptions(config) } : { loggerInstance: log }),
    // A log line, a child logger and an id per request would cost more than storing a message.
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: (parent) => parent,
    genReqId: () => '',
    trustProxy: trustedProxies(config),
    bodyLimit: limits.jsonBodyBytes,
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    serverFactory: (handle) => createHttpServer(config, handle, count),
    clientErrorHandler: handleParserErrors(config, count),
    frameworkErrors(error, request, reply) {
      sendError(foreignHostError(request.headers, config) ?? error, request, reply.headers(refusalHeaders))
    },
  })
}

function countStored(sent: SentMessages, metrics: Metrics): SentMessages {
  const stored = metrics.counter('privity_messages_stored_total', 'Messages stored by this process.')()
  return {
    count(tx, at, messages) {
      tx.afterCommit(() => stored.add(messages))
      return sent.count(tx, at, messages)
    },
  }
}

function shareRates({ bus, counts }: Processes, secrets: Secrets, clock: Clock): SharedCounts | undefined {
  return counts && createSharedCounts({ clock, bus, key: secrets.derive('rates'), ...counts })
}

/** Ends the process with this error, as for any unexpected one. */
const fail = (error: Error) =>
  void setImmediate(() => {
    throw error
  })

/** Creates the whole server, not listening yet. */
export async function createApp(config: Config, options: Options = {}): Promise<App> {
  const opened = new AsyncDisposableStack()
  try {
    return await open(config, options, opened)
  } catch (error) {
    // Only the error that prevented the start is reported.
    await opened.disposeAsync().catch(() => {})
    throw isFull(error) ? new NoSpaceLeft(config.dataDir, error) : error
  }
}

/** Opens the parts of the server. They close in reverse order: at the end of the server, or when its start fails. */
async function open(given: Config, options: Options, opened: AsyncDisposableStack): Promise<App> {
  let config = given
  const time = options.clock ?? systemClock
  let draining = false
  makeDataDir(config.dataDir)
  assertNoInterruptedRestore(config.dataDir)
  opened.defer(lockDataDir(config.dataDir))
  let countRefusal: CountRefusal = () => {}
  const app = createFastify(config, options.log, (status) => countRefusal(status))
  const log = app.log
  const noting = (what: string) => (error: unknown) => log.error({ err: error }, what)
  const background = createBackground(time, log)
  const { clock } = background
  const storage = await openStorage(config, log)
  const metrics = createMetrics((error, metric) => log.error({ err: error, metric }, 'a metric could not be read'))
  let uncertain = () => {}
  const db = await openDb(databasePath(config.dataDir), {
    onError: noting('in the database, after a commit'),
    onUncertain: () => uncertain(),
    postgres: config.postgres,
    watch: measureBatches(metrics),
    migrations: options.migrations,
  })
  opened.defer(() => db.close())
  opened.defer(background.stop)
  await completeRotation(config.dataDir, db)
  const secrets = await loadSecrets(config.dataDir, config.serverSecret)
  const auditKey = await loadAuditKey(db, secrets)
  await usePreservedKeys(db, secrets)
  config = await silenceIfRestored(config, db, log)
  const { postgres, valkeyUrl } = config
  const processes =
    postgres === undefined
      ? createSingleProcess()
      : (await import('./core/cluster/cluster.ts')).createProcesses({
          db,
          clock: time,
          log,
          secrets,
          valkeyUrl,
          onShutOut: fail,
        })
  opened.defer(() => processes.leave().catch(noting('leaving the other processes')))
  const { bus } = processes
  uncertain = processes.reportUncertainCommit
  const sessions = createSessions(db, bus, clock, config.secure)
  const isFactorMissing = (userId: string) => isMissing(db.read, userId, clock.now())
  const sockets = createSockets({ clock, processes, log })
  const rates = createRates(clock, options.rateLimits, shareRates(processes, secrets, clock))
  bus.subscribe('rateUsedUp', ({ key, left }) => rates.markUsedUp(key, left))
  const openAccess = revalidateOpenSessions({
    background,
    db,
    bus,
    openSessions: () => [...sockets.openSessions(), ...listTransferSessions()],
    withoutFactor: (userIds) => listUsersMissingFactor(db.read, userIds, clock.now()),
    onError: noting('what may have ended in another process'),
  })
  const deniedCalls = createDeniedCalls(clock, metrics, log)
  const core: Core = {
    config,
    clock,
    steadyTime: watchSteadyTime(clock),
    background,
    db,
    bus,
    processes,
    sessions,
    founderSessions: createFounderSessions(db, clock, config.secure),
    sockets,
    sentMessages: countStored(createSentMessages(newId(clock.now())), metrics),
    storage,
    rates,
    secrets,
    auditKey,
    passwords: createPasswords(secrets, options.passwordCost),
    mail: createMail(config.mail, clock, log),
    alertEndpoints: options.alertEndpoints ?? alertEndpoints,
    pushNetwork: options.pushNetwork ?? internet,
    isFactorMissing,
    isFounderPasswordGenerated: () => isPasswordGenerated(db.read, config),
    factorCheck: createFactorCheck(bus, isFactorMissing),
    log,
    deniedCalls,
    metrics,
    loopDelay: watchLoopDelay(),
    isDraining: () => draining,
    endpoints: [],
    rawCalls: [],
  }

  opened.defer(core.loopDelay.stop)

  trackCalls(app, background)
  if (config.operations.metricsToken !== undefined) {
    countRefusal = countRefusals(metrics)
    measureRequests(app, metrics, countRefusal)
  }
  if (config.operations.accessLog) logRequests(app)
  app.decorateRequest('caller', undefined)
  app.decorateRequest('founder', undefined)
  readJsonBodies(app, clock)
  handleErrors(app, db, bus, deniedCalls)
  addSecurityHeaders(app, config)
  rejectForeignHosts(app, config)
  for (const feature of features) feature(app, core)
  serveApiDocument(app, core)
  await serveWeb(app, config)
  acceptUpgrades(app.server, core, countRefusal)
  await watchPasswordCosts(core.passwords, db, background)
  await processes.join()
  const firstStart = await prepareDeployment(core, options.deriveFounderSecret ?? deriveFounderSecret)
  await app.ready()

  const scheduled = schedule(core, measureJobs(jobs, metrics), processes.lease)
  clock.every(60_000, () => rates.removeExpired())
  opened.defer(async () => {
    // A connection whose last response is still being sent becomes idle only after the server has closed the idle ones.
    const closeIdle = setInterval(() => app.server.closeIdleConnections(), 50)
    await Promise.all([app.close(), sockets.close(), scheduled.stop()])
    clearInterval(closeIdle)
    await Promise.all([core.mail.close(), background.stop()])
    await sessions.saveUse().catch(noting('times of use'))
    sessions.close()
    await signHead(core).catch(noting('the head of the audit log'))
  })

  return {
    app,
    core,
    firstStart,
    printed: () => background.run('the mark of a printed password', () => markPasswordPrinted(core)),
    async settled() {
      await processes.settled()
      await scheduled.settled()
      await openAccess.settled()
    },
    async drain() {
      draining = true
      sockets.refuse()
      if (config.operations.drain.delay > 0) await setTimeout(config.operations.drain.delay)
    },
    async close() {
      draining = true
      await opened.disposeAsync()
    },
  }
}
