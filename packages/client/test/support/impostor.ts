import { browsers } from '@privity/contract/browsers'
import type { BrowserEntry } from '@privity/contract/browserKeys'
import { session } from '@privity/contract/session'
import { signedBrowserBytes, signedLinkBytes } from '@privity/contract/signedBytes'
import { keys } from '@privity/contract/keys'
import {
  type Bytes,
  createEpoch,
  type EpochKey,
  fromBase64url,
  type Identity,
  importIdentity,
  newId,
  openPrivate,
  randomBytes,
  toBase64url,
} from '@privity/e2ee'
import {
  createBrowserEntry,
  createBrowserRemoval,
  signBrowserMode,
  browserEntryHash,
  browserPublicKey,
  sealSeed,
  signApproval,
  signBrowserSession,
} from '@privity/e2ee/browserEntry'
import { identityBinding } from '../../src/keys/aad.ts'
import { toSealedTo } from '../../src/keys/browsers/browserList.ts'
import { accountKeyOf } from './accountKey.ts'
import { browserIdOf, keysFor } from './browsers.ts'
import type { Person, Stage } from './stage.ts'

const signedBy = async ({ sign }: Identity, bytes: Uint8Array<ArrayBuffer>) =>
  toBase64url(new Uint8Array(await crypto.subtle.sign('Ed25519', sign as CryptoKey, bytes)))

/**
 * The calls of altered software in a browser that somebody has signed in with the password, which opens the identity
 * key: it claims to be the browser `approvedId`, whose key it does not have.
 */
export async function createImpostor({ server }: Stage, thief: Person, approvedId: string) {
  const { client, user } = thief
  const userId = user.id
  const own = await keysFor(thief)
  const ownEntry = own.browsers.own as BrowserEntry
  const seed = await openPrivate(await accountKeyOf(thief), identityBinding(userId), own.wrappedIdentitySeed)
  const identity = await importIdentity(seed)
  const { id: sessionId } = (await client.call(session.getUser, {})).session
  const signSeed = randomBytes(32)
  const ownKey = await importIdentity(signSeed)
  const browserId = await browserIdOf(thief, thief)
  const sessionSignature = await signBrowserSession(signSeed, { userId, sessionId, browserId: approvedId })

  /** Lists an entry of the thief as the next one of the approved browser, under this key of it. */
  async function list(signKeyOf: (listed: BrowserEntry) => string): Promise<unknown> {
    const listed = own.browsers.browsers.find((each) => each.browserId === approvedId) as BrowserEntry
    const unsigned = {
      userId,
      browserId: approvedId,
      n: listed.n + 1,
      kemKey: await browserPublicKey(randomBytes(32)),
      signKey: signKeyOf(listed),
      createdAt: server.clock.now(),
    }
    const bytes = signedBrowserBytes(identity.publicKey, unsigned, fromBase64url)
    const signature = await signedBy(identity, bytes)
    const entryHash = browserEntryHash(identity.publicKey, { ...unsigned, signature })
    const link = signedLinkBytes(unsigned, { ...unsigned, entryHash }, fromBase64url)
    const entry = { ...unsigned, signature, browserSignature: await signedBy(ownKey, link) }
    const seen = own.epochs.map(({ n }) => n)
    return client.call(browsers.putOwn, { body: { entry, seen, seeds: [], sessionSignature } })
  }

  /** The next entry of a browser of the thief's, which has one signing key for all of them. */
  const createEntry = (browserId: string, kemSeed: Bytes, previous?: BrowserEntry) =>
    createBrowserEntry({
      ...{ identity, userId, browserId, createdAt: server.clock.now() },
      n: (previous?.n ?? 0) + 1,
      seeds: { kemSeed, signSeed },
      signer: signSeed,
    })

  /** An entry of the thief's own browser, under a key that the thief has made: it needs no other browser's. */
  let listed: BrowserEntry | undefined

  /** Publishes one epoch, whose seed is sealed to the thief's own pair alone. */
  async function publishAlone(): Promise<number> {
    const { epochs, browsers: now } = await client.call(keys.getOwn, { query: { browser: listed?.browserId } })
    const [createdAt, newest] = [server.clock.now(), epochs.at(-1) as EpochKey]
    const made = await createEpoch({
      identity,
      userId,
      n: newest.n + 1,
      createdAt,
      startsAt: createdAt,
      previous: newest,
    })
    const id = listed?.browserId ?? newId(createdAt)
    const kemSeed = randomBytes(32)
    const entry = await createEntry(id, kemSeed, listed)
    const sealed = await sealSeed(entry.kemKey, { userId, n: made.epoch.n, browserId: id }, made.seed)
    const renewal = {
      entry,
      seen: epochs.filter(({ sealedSeed }) => sealedSeed).map(({ n }) => n),
      seeds: [],
      sessionSignature: await signBrowserSession(signSeed, { userId, sessionId, browserId: id }),
    }
    const sealing = {
      renewal,
      ...toSealedTo(now),
      seeds: [{ n: made.epoch.n, browserId: id, sealed }],
    }
    await client.call(keys.publishEpochs, { body: { epochs: [made.epoch], sealing } })
    listed = entry
    return made.epoch.n
  }

  /** Lists a browser of the thief's, or renews its entry, with random bytes for seeds. Returns its entry. */
  async function listWithSeeds(previous?: BrowserEntry): Promise<BrowserEntry> {
    const createdAt = server.clock.now()
    const id = previous?.browserId ?? newId(createdAt)
    const { epochs } = await client.call(keys.getOwn, { query: { browser: id } })
    const kemSeed = randomBytes(32)
    const entry = await createEntry(id, kemSeed, previous)
    const seeds = epochs.map(async ({ n }) => {
      const sealed = await sealSeed(entry.kemKey, { userId, n, browserId: id }, randomBytes(32))
      return { n, browserId: id, sealed }
    })
    const body = {
      entry,
      seen: epochs.map(({ n }) => n),
      seeds: await Promise.all(seeds),
      sessionSignature: await signBrowserSession(signSeed, { userId, sessionId, browserId: id }),
    }
    await client.call(browsers.putOwn, { body })
    return entry
  }

  /** Signs the mode again that is in force. */
  async function signModeAgain(): Promise<void> {
    const { epochs, browsers: now } = await keysFor(thief)
    const mode = { onlyApproved: true as const, n: now.mode.n + 1 }
    const signature = await signBrowserMode(identity, { userId, ...mode })
    const after = (epochs.at(-1) as EpochKey).n
    await client.call(browsers.setMode, {
      body: { ...mode, signature, after, ...toSealedTo(now), seeds: [], damaged: [] },
    })
  }

  return {
    publishAlone,
    signModeAgain,
    listWithSeeds,
    remove: async () => {
      const removal = await createBrowserRemoval(identity, {
        userId,
        browserId: approvedId,
        createdAt: server.clock.now(),
      })
      return client.call(browsers.remove, { params: { id: approvedId }, body: removal })
    },
    listedId: () => listed?.browserId ?? '',
    bind: () => client.call(browsers.bind, { params: { id: approvedId }, body: { sessionSignature } }),
    listWithOwnKey: () => list(() => ownKey.publicKey),
    listWithKeyOfApproved: () => list(({ signKey }) => signKey),
    /** Approves the thief's own browser, with random bytes for seeds. */
    async approveItself(recoveryProof?: string): Promise<unknown> {
      const { n, kemKey } = ownEntry
      const seeds = own.epochs.map(async (epoch) => {
        const binding = { userId, n: epoch.n, browserId }
        return { n: epoch.n, browserId, sealed: await sealSeed(kemKey, binding, randomBytes(32)) }
      })
      const sealed = await Promise.all(seeds)
      const signature = await signApproval(identity, { userId, browserId, n }, sealed)
      const body = { n, seeds: sealed, signature, recoveryProof }
      return client.call(browsers.approve, { params: { id: browserId }, body })
    },
  }
}
