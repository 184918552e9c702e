import { fromBase64url, messageLink, toBase64url } from '@privity/e2ee'
import { CallError, type DecryptedMessage } from '../../../src/index.ts'
import { hour, minute, type Scene, second } from './scene.ts'
import type { Place, Stored } from './server.ts'

/** Keeps a message from the reader that nobody has been shown yet. */
interface Omission {
  /** Shows the reader another message than the hidden one, or none. */
  show?: (hidden: Stored, place: Place) => Stored[]
  /** Shows the reader the messages after the hidden one. */
  showLater?: (message: Stored) => Stored
  /** Changes what the author is told of it. */
  tellAuthor?: (hidden: Stored) => Stored
  before?: (scene: Scene) => Promise<void>
  /** Between the hidden message and the next one. */
  meanwhile?: (scene: Scene) => Promise<void>
  /** Whether the author's page is loaded anew before the next message; otherwise as it happens. */
  isReloaded?: boolean
  /** The author's pages are not shown it either, and the author's other browser writes before the next message. */
  isFork?: boolean
  /** Whether the reader's pages are loaded anew before they show it. */
  isFresh?: boolean
}

/** Its sender's signature no longer holds, but its id and envelope can be read. */
export const damaged = (hidden: Stored): Stored => {
  const bytes = fromBase64url(hidden.content)
  return { ...hidden, content: toBase64url(bytes.with(500, (bytes[500] as number) ^ 1)) }
}

const expiringSoon = (hidden: Stored): Stored => ({ ...hidden, expiresAt: hidden.createdAt + 3 * minute })

const onlyInWhole = (change: (hidden: Stored) => Stored) => (hidden: Stored, place: Place) =>
  place === 'whole' ? [change(hidden)] : []

/** The server refuses the list of the whole conversation, and answers all else. */
function refuseWhole(_hidden: Stored, place: Place): Stored[] {
  if (place === 'whole') throw new CallError('UNAVAILABLE', { status: 503 })
  return []
}

/** The reader's pages ask for the whole conversation again, after they have written. */
async function writeLater({ time, readers, tabOf }: Scene): Promise<void> {
  await time.pass(6 * hour + minute)
  for (const browser of readers) void (await tabOf(browser)).send('Later')
  await time.pass(minute)
}

/** An own clock that is ahead for a message which is shown. */
async function writeAhead({ run, authorBrowser, write, tabOf }: Scene): Promise<void> {
  const browser = run.browsers[authorBrowser] as Scene['run']['browsers'][number]
  const { ahead } = browser
  browser.ahead = 290 * second
  await write(authorBrowser, true)
  browser.ahead = ahead
  await tabOf(authorBrowser, true)
}

export const omissions: Record<string, Omission> = {
  drop: { isReloaded: false },
  dropAfterReload: { isReloaded: true },
  wholeOnly: { show: onlyInWhole((hidden) => hidden) },
  wholeOnlyLater: { show: onlyInWhole((hidden) => hidden), meanwhile: writeLater },
  wholeDamaged: { show: onlyInWhole(damaged) },
  wholeDamagedExpired: { show: onlyInWhole((hidden) => ({ ...damaged(hidden), expiresAt: 1 })) },
  wholeExpiresSoon: { show: onlyInWhole(expiringSoon) },
  wholeRefused: { show: refuseWhole },
  freshWholeRefused: { show: refuseWhole, isReloaded: false, isFresh: true },
  freshDrop: { isReloaded: false, isFresh: true },
  freshWholeExpiresSoon: { show: onlyInWhole(expiringSoon), isReloaded: false, isFresh: true },
  noticeOnly: { show: (hidden, place) => (place === 'notice' ? [hidden] : []) },
  expired: { show: (hidden) => [{ ...hidden, expiresAt: 1 }] },
  damagedExpired: { show: (hidden) => [{ ...damaged(hidden), expiresAt: 1 }] },
  expiresSoon: { show: (hidden) => [expiringSoon(hidden)] },
  laterExpires: { showLater: (message) => ({ ...message, expiresAt: message.createdAt + 10 * minute }) },
  answerExpires: {
    isReloaded: true,
    tellAuthor: (hidden) => ({ ...hidden, expiresAt: hidden.createdAt + 30 * second }),
  },
  answerEarlier: { isReloaded: true, tellAuthor: (hidden) => ({ ...hidden, createdAt: hidden.createdAt - 25 * hour }) },
  answerOther: {
    isReloaded: true,
    tellAuthor: (hidden) => ({ ...hidden, id: hidden.envelope?.id ?? hidden.connectionId }),
  },
  clockAhead: { before: writeAhead, isReloaded: true },
  fork: { isFork: true, isReloaded: true },
}

/** Returns what of an omission no page of the reader has noticed, and what it claims of the message all the same. */
export async function omissionUnnoticed(scene: Scene, omission: Omission): Promise<string[]> {
  const { server, time, authorBrowser, readers, target, lieToReader, look, tabOf, write } = scene
  const { show = () => [], showLater = (message) => message, tellAuthor = (hidden) => hidden } = omission
  const { isReloaded = target % 3 === 0 } = omission
  // By then every page has known the whole conversation, whatever its clock and the author's say.
  for (const browser of readers) await scene.run.list(await tabOf(browser))
  await time.pass(12 * minute)
  await omission.before?.(scene)
  const place = server.log.length
  lieToReader((message, where) => {
    if (message.place === place) return show(message, where)
    return [message.place > place ? showLater(message) : message]
  })
  const { lie } = server.state
  server.state.lie = (shown, userId, where) =>
    lie(shown, userId, where)
      .filter((each) => !omission.isFork || each.place !== place)
      .map((each) => (each.place === place && each.senderId === userId ? tellAuthor(each) : each))
  server.state.answer = (stored) => (stored.place === place ? tellAuthor(stored) : stored)
  const hidden = await write(authorBrowser)
  await time.pass(minute)
  await omission.meanwhile?.(scene)
  if (omission.isFork) await write(authorBrowser ^ 1)
  await write(authorBrowser, isReloaded)
  if (omission.isFresh) for (const browser of readers) await tabOf(browser, true)
  const early = await look()
  await time.pass(10 * minute)
  const late = await look()
  const wrong: string[] = []
  for (const [i, at] of readers.entries()) {
    const { alarms, browser } = await tabOf(at)
    const isShown = late[i]?.some(({ id, expiresAt }) => id === hidden.id && expiresAt > time.now() + browser.ahead)
    const isMarked = [early, late].some((all) => all[i]?.some(({ isMissingBefore }) => isMissingBefore))
    if (!isShown && !isMarked) wrong.push('a message that is missing has no mark')
    if (!isShown && alarms.join() !== 'MESSAGE_MISSING') wrong.push(`alarms: ${alarms.join()}`)
  }
  const link = await messageLink(hidden.content)
  for (const browser of readers) {
    const tab = await tabOf(browser)
    const answer = await write(browser)
    const signed = (await scene.run.list(tab)).find(({ id }) => id === answer.id)?.signed
    if (!signed || (signed.seen === link && !tab.shown.has(hidden.id))) wrong.push('confirms what it has not shown')
  }
  return wrong
}

/** Hides a message for a while: the mark of it goes when it comes. */
export async function releaseUnnoticed(scene: Scene): Promise<string[]> {
  const { server, look } = scene
  const wrong = await omissionUnnoticed(scene, {})
  const hidden = server.log.at(-4) as Stored
  server.state.lie = (shown) => shown
  const lateOf = (messages: DecryptedMessage[]) => messages.filter(({ isLate }) => isLate).map(({ id }) => id)
  for (const messages of await look()) {
    if (messages.some(({ isMissingBefore }) => isMissingBefore)) wrong.push('the mark stays')
    if (lateOf(messages).join() !== hidden.id) wrong.push(`came late: ${lateOf(messages).length}`)
  }
  return wrong
}
