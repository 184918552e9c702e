import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { base64url, id, nothing, secret, time } from '../values.ts'
import {
  browserEntry,
  browserLink,
  browserRemoval,
  maxLiveEpochs,
  number,
  browserRenewal,
  sealedSeed,
  sealedSeeds,
  sealedTo,
  seedsBytes,
  sessionSignature,
  signature,
} from './browserKeys.ts'

const nonce = base64url(32)

const modeChange = {
  n: number.describe('counts the changes; BROWSERS_CHANGED unless it is higher than the stored one'),
  signature: signature.describe('by the identity key: a session alone must not destroy seeds'),
  after: number.describe('the newest epoch that the caller knows; EPOCH_CONFLICT if there is a newer one'),
}
const switchOn = z.object({
  onlyApproved: z.literal(true),
  ...modeChange,
  ...sealedTo,
  seeds: sealedSeeds,
  damaged: z.array(number).max(maxLiveEpochs).describe('epochs whose seed under the account key opens for nobody'),
})
const wrappedSeeds = z.array(z.object({ n: number, wrappedSeed: base64url(16, 1024) })).max(maxLiveEpochs)
const switchOff = z.object({ onlyApproved: z.literal(false), ...modeChange, wrapped: wrappedSeeds })
export type SwitchOn = z.output<typeof switchOn>
export type SwitchOff = z.output<typeof switchOff>

/**
 * A comparison of six digits between a new browser and one that approves it: the new one commits to a nonce, the other
 * draws its own, the new one reveals.
 */
export const browserApproval = z.object({
  commitment: base64url(32),
  startedAt: time,
  approverId: id.optional(),
  nonceOfApprover: nonce.optional(),
  nonceOfNew: nonce.optional(),
})
export type BrowserApproval = z.output<typeof browserApproval>

/** Seeds for a browser that is approved. */
const browserSeeds = z.object({
  n: number.describe('of its entry'),
  seeds: z.array(sealedSeed).max(maxLiveEpochs),
  signature: signature.describe('by the identity key: a session alone must not store seeds that do not open'),
  recoveryProof: secret
    .optional()
    .describe('with the recovery key a browser approves itself; otherwise one that is approved has to'),
})
export type BrowserSeeds = z.output<typeof browserSeeds>

/** A browser as Account settings list it. */
export const browser = z.object({
  entry: browserEntry,
  name: z.string().describe('as in the list of sessions'),
  firstUsedAt: time,
  lastUsedAt: time,
  isCurrent: z.boolean(),
  sharesSession: z.boolean().describe('this session has belonged to it before: its removal ends this session too'),
  isApproved: z.boolean().describe('the user has approved it, and it lacks no living seed'),
  canRemove: z.boolean().describe('the user has approved it: it removes others, also while it lacks seeds'),
  approval: browserApproval.optional(),
})
export type Browser = z.output<typeof browser>

const params = z.object({ id: id.describe('of the browser') })
/** A browser adds about three links a day. */
export const linksPerPage = 500
const changed = ['NO_KEYS', 'BROWSERS_CHANGED'] as const

export const browsers = {
  list: endpoint({
    method: 'GET',
    path: '/api/browsers',
    guard: 'member',
    result: z.array(browser),
    summary: "The caller's listed browsers: this one, then the one used last",
  }),
  listLinks: endpoint({
    method: 'GET',
    path: '/api/browsers/:id/links',
    guard: 'member',
    params,
    query: z.object({ after: z.coerce.number().int().min(0).describe('the number of an entry') }),
    result: z.array(browserLink).max(linksPerPage),
    errors: ['BROWSER_NOT_FOUND'],
    summary: 'The links of a listed browser after that of an entry, oldest first',
  }),
  putOwn: endpoint({
    method: 'PUT',
    path: '/api/browsers/own',
    guard: 'member',
    byItself: true,
    body: browserRenewal,
    bodyBytes: 256 * 1024,
    result: nothing,
    errors: [...changed, 'BROWSER_REMOVED'],
    summary: 'List the browser of this session, or renew its entry; compare-and-set on n and on the seeds it has seen',
  }),
  bind: endpoint({
    method: 'PUT',
    path: '/api/browsers/:id/session',
    guard: 'member',
    byItself: true,
    unlogged: true,
    params,
    body: z.object({ sessionSignature }),
    result: nothing,
    errors: ['BROWSER_NOT_FOUND'],
    summary: 'Bind this session to its browser, which is listed already',
  }),
  remove: endpoint({
    method: 'POST',
    path: '/api/browsers/:id/removal',
    guard: 'member',
    params,
    body: browserRemoval,
    result: nothing,
    errors: ['NO_KEYS', 'BROWSER_NOT_APPROVED', 'BROWSER_NOT_FOUND'],
    summary: 'Remove a browser from the list for good, with the seeds sealed to it and its sessions',
  }),
  setMode: endpoint({
    method: 'PUT',
    path: '/api/browsers/mode',
    guard: 'member',
    weight: 8,
    body: z.discriminatedUnion('onlyApproved', [switchOn, switchOff]),
    bodyBytes: seedsBytes,
    result: nothing,
    errors: [...changed, 'BROWSER_NOT_APPROVED', 'EPOCH_CONFLICT', 'MODE_REQUIRED'],
    summary: 'Keep seeds sealed to listed browsers, and destroy those under the account key; or the reverse',
  }),
  listRecoverySeeds: endpoint({
    method: 'GET',
    path: '/api/browsers/recovery-seeds',
    guard: 'member',
    result: z.array(sealedSeed.omit({ browserId: true })),
    errors: ['NO_KEYS'],
    summary: 'The seeds sealed to the pair of the recovery key',
  }),
  startApproval: endpoint({
    method: 'POST',
    path: '/api/browsers/:id/approval',
    guard: 'member',
    unlogged: true,
    params,
    body: browserApproval.pick({ commitment: true }),
    result: nothing,
    status: 201,
    errors: ['BROWSER_NOT_FOUND'],
    summary: 'Ask for the approval of this browser; a comparison before it ends',
  }),
  answerApproval: endpoint({
    method: 'PUT',
    path: '/api/browsers/:id/approval/answer',
    guard: 'member',
    unlogged: true,
    params,
    body: z.object({ commitment: base64url(32), approverId: id, nonce }),
    result: nothing,
    errors: ['BROWSER_NOT_APPROVED', 'BROWSER_NOT_FOUND', 'APPROVAL_ENDED'],
    summary: 'Answer with the nonce of the approving browser; the first answer counts',
  }),
  revealApproval: endpoint({
    method: 'PUT',
    path: '/api/browsers/:id/approval/reveal',
    guard: 'member',
    unlogged: true,
    params,
    body: z.object({ commitment: base64url(32), nonce }),
    result: nothing,
    errors: ['BROWSER_NOT_FOUND', 'APPROVAL_ENDED'],
    summary: 'Reveal the nonce of the new browser, once there is an answer',
  }),
  endApproval: endpoint({
    method: 'DELETE',
    path: '/api/browsers/:id/approval',
    guard: 'member',
    unlogged: true,
    params,
    result: nothing,
    errors: ['BROWSER_NOT_APPROVED', 'BROWSER_NOT_FOUND'],
    summary: 'Refuse the approval, or withdraw the request',
  }),
  approve: endpoint({
    method: 'PUT',
    path: '/api/browsers/:id/seeds',
    guard: 'member',
    params,
    body: browserSeeds,
    bodyBytes: 256 * 1024,
    result: nothing,
    errors: [...changed, 'BROWSER_NOT_APPROVED', 'BROWSER_NOT_FOUND', 'RECOVERY_REFUSED'],
    summary: 'Approve a browser: give it the seeds of the live epochs, sealed to its pair',
  }),
}
