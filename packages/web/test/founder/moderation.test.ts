import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { MutationObserver, QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, describe, expect, it, test, vi } from 'vitest'
import type { DecryptedReport } from '@privity/client/founder'
import { type FlaggedMessage, moderation } from '@privity/contract/founder/moderation'
import { reopenReports } from '../../src/founder/console/reportKeys.ts'
import { listPollIntervalMs } from '../../src/founder/console/queries.ts'
import { formatDateTime } from '../../src/founder/console/values.tsx'
import { flagColumns, reasonKind } from '../../src/founder/features/moderation/columns.tsx'
import { reportQuery, scanMutation, unflagMutation } from '../../src/founder/features/moderation/queries.ts'
import { Preview, previewOf, ReportedText } from '../../src/founder/features/moderation/ReportedText.tsx'
import { moderationTexts } from '../../src/founder/features/moderation/texts.ts'
import { dismissToast, toasts } from '../../src/ui/toast/toastStore.ts'
import { draw, fakeClient, heads, id, nothing, refetchedBy, refused, silent } from './tables.ts'

vi.hoisted(() => Object.assign(globalThis, { location: { origin: 'https://privity.example' } }))

const flag: FlaggedMessage = {
  id,
  kind: 'automatic',
  content: 'encrypted',
  flagReason: 'Rapid sending: 20 messages within 60 seconds',
  flaggedAt: 5,
  sender: { id, username: 'k.abara', firstName: 'Karl', lastName: 'Abara' },
  messageId: id,
  sentAt: 4,
  expiresAt: 9,
}
const verified: DecryptedReport & { state: 'verified' } = {
  state: 'verified',
  body: { kind: 'text', text: 'Pay, or else.' },
  reason: 'They threaten me',
  earlierKey: false,
}
afterEach(dismissToast)

const acts = { onView: nothing, onUnflag: nothing, isSelected: () => false, canSelect: true, onSelect: nothing }

test('the table has the columns and buttons of the specification, and names the sender in full', () => {
  const markup = draw(flagColumns(acts), [flag])
  expect(heads(markup)).toEqual(['Message', 'Sender', 'Flag reason', 'Flagged at', 'Actions'])
  expect(markup).toMatch(/Karl Abara.*@k\.abara/)
  expect(markup).toContain('Rapid sending')
  expect(markup).toContain(formatDateTime(5))
  expect(markup).toMatch(/View Full<\/button>.*Unflag<\/button>/)
  const never = draw(flagColumns(acts), [{ ...flag, flaggedAt: 0 }])
  expect(never).toContain('N/A')
})

test('the texts are those of the specification', () => {
  const { title, scan, scanning: busy, cards, none, loading, full, confirm } = moderationTexts
  expect([title, scan, busy, ...Object.values(cards), none, loading, full.title]).toEqual([
    'Message Moderation',
    'Scan Now',
    'Scanning...',
    'Total Flagged',
    'Rapid Sending',
    'Bulk Messaging',
    'Repeated Content',
    'No flagged messages',
    'Loading flagged messages...',
    'Full Message Content',
  ])
  expect([confirm.confirm, confirm.busy, listPollIntervalMs]).toEqual(['Unflag Message', 'Processing...', 30_000])
})

test('a reason is sorted by what its text speaks of', () => {
  expect(
    [
      'Rapid sending: 20 messages within 60 seconds',
      'BULK messaging: 10 recipients within 10 minutes',
      'Repeated content: 5 equal texts within 24 hours',
      'Reported by its recipient',
      '',
    ].map(reasonKind),
  ).toEqual(['rapid', 'bulk', 'repeated', 'manual', 'manual'])
})

test('a preview is the first 100 characters, with an ellipsis where there are more', () => {
  expect(previewOf('x'.repeat(100))).toBe('x'.repeat(100))
  expect(previewOf('x'.repeat(101))).toBe(`${'x'.repeat(100)}…`)
  expect(previewOf('😀'.repeat(101))).toBe(`${'😀'.repeat(100)}…`)
})

describe('a report', () => {
  const words = (report: DecryptedReport) => renderToStaticMarkup(createElement(ReportedText, { report }))
  const preview = (report: DecryptedReport) => renderToStaticMarkup(createElement(Preview, { report }))

  it('that is verified shows its words, says so, and keeps the reporter’s words apart', () => {
    expect(words(verified)).toMatch(
      /<blockquote[^>]*>Pay, or else\.<\/blockquote>.*Verified.*Reporter says.*They threaten me/,
    )
    expect(words(verified)).not.toContain('replaced since')
    expect(words({ ...verified, earlierKey: true })).toContain('replaced since')
    expect(words({ ...verified, reason: '' })).toContain('No reason given')
    expect(preview(verified)).toContain('Pay, or else.')
  })

  it.each(['altered', 'signature', 'commitment', 'misattributed', 'receipt'] as const)(
    'that fails by its %s is never shown as the sender’s word',
    (fault) => {
      const markup = words({ state: 'refused', fault })
      expect(markup).toContain('failed verification')
      expect(markup).toContain(moderationTexts.full.faults[fault])
      expect(markup).not.toMatch(/blockquote|badge-success/)
      expect(preview({ state: 'refused', fault })).toContain('Not verified')
    },
  )

  it('whose key is not open here says what to do', () => {
    expect(words({ state: 'closed' })).toContain('sign in again')
    expect(preview({ state: 'closed' })).toContain('Could not be decrypted')
  })

  it('of a file is its name', () => {
    const body = { kind: 'file' as const, name: 'threat.txt', type: '', size: 1, keyHash: '', bodyHash: '' }
    expect(words({ ...verified, body })).toContain('File: threat.txt')
  })
})

describe('previews', () => {
  /** A founder whose browser holds `keys`, with counters of the calls made. */
  function founderWith(keys: { seeds: string[]; unreadable: string[] } | undefined) {
    const asked = { keys: 0, calls: 0 }
    const state = { keys, keyId: 'one' }
    const client = {
      async call() {
        asked.calls += 1
        // Too short to decrypt: the test counts only the calls made before.
        return { keyId: state.keyId, sealed: '', messageId: id, senderId: id, reporterId: id, sentAt: 4 }
      },
      async reportKeys() {
        asked.keys += 1
        if (state.keys === undefined) return undefined
        const seeds = new Map(state.keys.seeds.map((each) => [each, new Uint8Array(32)]))
        return { current: 'one', seeds, unreadable: state.keys.unreadable }
      },
    } as unknown as Parameters<typeof reportQuery>[0]
    const queries = new QueryClient()
    const read = (flagId: string) => queries.fetchQuery({ ...reportQuery(client, flagId, 'list'), staleTime: Infinity })
    return { asked, state, client, queries, read }
  }

  it('open the keys once, however many there are', async () => {
    const { asked, read } = founderWith({ seeds: ['one'], unreadable: [] })
    const reports = await Promise.all(Array.from({ length: 50 }, (_, at) => read(`${at}`)))
    expect(reports).toEqual(Array.from({ length: 50 }, () => ({ state: 'refused', fault: 'altered' })))
    expect(asked).toEqual({ keys: 1, calls: 50 })
  })

  it('are asked for once by the list, and each time one is opened in full', async () => {
    const { asked, client, queries, read } = founderWith({ seeds: ['one'], unreadable: [] })
    await read('a')
    await read('a')
    expect(asked.calls).toBe(1)
    for (const calls of [2, 3]) {
      const { promise: shown, resolve: show } = Promise.withResolvers<void>()
      const dialog = new QueryObserver(queries, { ...reportQuery(client, 'a', 'full'), staleTime: Infinity })
      const close = dialog.subscribe(({ isSuccess }) => isSuccess && show())
      await shown
      close()
      await expect.poll(() => queries.getQueryData(reportQuery(client, 'a', 'full').queryKey)).toBeUndefined()
      expect(asked.calls).toBe(calls)
    }
  })

  it('look again for a key that was published since, and not for one that is lost', async () => {
    const { asked, state, read } = founderWith({ seeds: ['one'], unreadable: ['lost'] })
    await read('1')
    state.keyId = 'lost'
    expect(await read('2')).toEqual({ state: 'closed' })
    expect(asked.keys).toBe(1)
    state.keyId = 'two'
    state.keys = { seeds: ['one', 'two'], unreadable: ['lost'] }
    expect(await read('3')).toMatchObject({ state: 'refused' })
    expect(asked.keys).toBe(2)
  })

  it('stay closed while the keys are locked, and open after an unlock', async () => {
    const { asked, state, client, queries, read } = founderWith(undefined)
    expect([await read('1'), await read('2')]).toEqual([{ state: 'closed' }, { state: 'closed' }])
    expect(asked.keys).toBe(1)
    state.keys = { seeds: ['one'], unreadable: [] }
    await reopenReports(queries, client)
    expect(await read('1')).toMatchObject({ state: 'refused' })
  })
})

describe('a scan', () => {
  const scan = (answer: unknown) => {
    const { called, client } = fakeClient(answer)
    const run = (queries: QueryClient) =>
      new MutationObserver(queries, scanMutation(client, queries)).mutate().catch(nothing)
    return { called, run }
  }

  it('says how many it found, and loads list and tile again', async () => {
    const { called, run } = scan({ flaggedCount: 3 })
    expect(await refetchedBy(run)).toEqual(['realtime-stats', 'flagged-messages'])
    expect(called).toEqual([[moderation.scan, {}]])
    expect(toasts.get()).toMatchObject({ title: 'Scan Completed', description: 'Found 3 suspicious messages' })
  })

  it('speaks of one message in the singular', async () => {
    await refetchedBy(scan({ flaggedCount: 1 }).run)
    expect(toasts.get()).toMatchObject({ description: 'Found 1 suspicious message' })
  })

  it('says with the server, or in its own words, that it has failed', async () => {
    await refetchedBy(scan(refused).run)
    expect(toasts.get()).toMatchObject({
      title: 'Scan Failed',
      description: 'The server says why.',
      tone: 'destructive',
    })
    await refetchedBy(scan(silent).run)
    expect(toasts.get()).toMatchObject({ title: 'Scan Failed', description: 'Failed to scan messages' })
  })
})

describe('unflagging', () => {
  const unflag = (answer: unknown) => {
    const { called, client } = fakeClient(answer)
    const run = (queries: QueryClient) =>
      new MutationObserver(queries, unflagMutation(client, queries)).mutate(flag).catch(nothing)
    return { called, run }
  }

  it('takes the message from the list, and says so', async () => {
    const { called, run } = unflag({})
    expect(await refetchedBy(run)).toEqual(['realtime-stats', 'flagged-messages'])
    expect(called).toEqual([[moderation.unflag, { params: { id } }]])
    expect(toasts.get()).toMatchObject({ title: 'Message Unflagged', tone: 'success' })
  })

  it('says with the server, or in its own words, that it has failed', async () => {
    await refetchedBy(unflag(refused).run)
    expect(toasts.get()).toMatchObject({ title: 'Unflag Failed', description: 'The server says why.' })
    await refetchedBy(unflag(silent).run)
    expect(toasts.get()).toMatchObject({ title: 'Unflag Failed', description: 'Failed to unflag message' })
  })
})
