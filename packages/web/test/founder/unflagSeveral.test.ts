import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { MutationObserver, QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { type FlaggedMessage, moderation } from '@privity/contract/founder/moderation'
import { limits } from '@privity/contract/limits'
import { flagColumns } from '../../src/founder/features/moderation/columns.tsx'
import { unflagSeveralMutation } from '../../src/founder/features/moderation/queries.ts'
import { type Selection, SelectionBar, updateSelection } from '../../src/founder/features/moderation/selection.tsx'
import { NotUnflagged } from '../../src/founder/features/moderation/Unflag.tsx'
import { dismissToast, toasts } from '../../src/ui/toast/toastStore.ts'
import { draw, fakeClient, nothing, refused } from './tables.ts'

vi.hoisted(() => Object.assign(globalThis, { location: { origin: 'https://privity.example' } }))
afterEach(dismissToast)

const flag = (id: string): FlaggedMessage => ({
  id,
  kind: 'automatic',
  content: 'encrypted',
  flagReason: 'Rapid sending: 20 messages within 60 seconds',
  flaggedAt: 5,
  sender: { id, username: `sender.${id}`, firstName: 'Karl', lastName: 'Abara' },
  messageId: id,
  sentAt: 4,
  expiresAt: 9,
})
const flags = ['a', 'b', 'c'].map(flag)
const [a, b, c] = flags as [FlaggedMessage, FlaggedMessage, FlaggedMessage]

describe('the selection', () => {
  const ids = (selection: Selection) => [...selection.keys()]

  test('takes flags in, page by page, and out again', () => {
    const two = updateSelection(updateSelection(new Map(), [a], true), [b, c], true)
    expect(ids(two)).toEqual(['a', 'b', 'c'])
    expect(ids(updateSelection(two, [b], false))).toEqual(['a', 'c'])
  })

  test('holds no more than one call takes', () => {
    expect(ids(updateSelection(new Map(), flags, true, 2))).toEqual(['a', 'b'])
    expect(
      updateSelection(
        new Map(),
        Array.from({ length: 150 }, (_, at) => flag(`${at}`)),
        true,
      ).size,
    ).toBe(limits.flagsTakenAtOnce)
  })

  const bar = (selection: Selection, isFull = false) =>
    renderToStaticMarkup(
      createElement(SelectionBar, {
        ...{ rows: flags, selection, isFull, select: nothing, clear: nothing, onUnflag: nothing },
      }),
    )

  test('says how many are selected, and offers to unflag them', () => {
    expect(bar(new Map())).not.toContain('Unflag selected')
    const two = bar(updateSelection(new Map(), [a, b], true))
    expect(two).toContain('2 selected')
    expect(two).toContain('Unflag selected')
    expect(two).not.toMatch(/checked=""/)
    expect(bar(updateSelection(new Map(), flags, true))).toMatch(/checked=""/)
  })

  test('says that it is full', () => {
    expect(bar(updateSelection(new Map(), [a], true), true)).toContain('You can unflag up to 100 at a time.')
  })

  test('is made in each row, by the name of the sender', () => {
    const drawn = (canSelect: boolean) =>
      draw(
        flagColumns({
          ...{ onView: nothing, onUnflag: nothing, onSelect: nothing },
          isSelected: ({ id }) => id === 'a',
          canSelect,
        }),
        [a, b],
      )
    expect(drawn(true)).toContain('Select the message of sender.a')
    expect(drawn(true).match(/checked=""/g)).toHaveLength(1)
    expect(drawn(true)).not.toContain('disabled=""')
    expect(drawn(false).match(/disabled=""/g)).toHaveLength(1)
  })
})

describe('unflagging several', () => {
  const unflag = async (answer: unknown) => {
    const { called, client } = fakeClient(answer)
    const queries = new QueryClient()
    const paths = [moderation.flagged.path, moderation.stats.path, '/api/founder/realtime-stats']
    for (const path of paths) queries.setQueryData([path], {})
    queries.setQueryData([moderation.report.path, 'a', 'list'], {})
    await new MutationObserver(queries, unflagSeveralMutation(client, queries)).mutate(flags).catch(nothing)
    const stale = paths.filter((path) => queries.getQueryState([path])?.isInvalidated)
    return { called, stale, report: queries.getQueryData([moderation.report.path, 'a', 'list']) }
  }

  test('is one call, which says so and loads lists and counts again', async () => {
    const { called, stale, report } = await unflag({ unflagged: ['a', 'b', 'c'], failed: [] })
    expect(called).toEqual([[moderation.unflagSeveral, { body: { ids: ['a', 'b', 'c'] } }]])
    expect(stale).toHaveLength(3)
    expect(report).toBeUndefined()
    expect(toasts.get()).toMatchObject({ title: 'Messages unflagged', tone: 'success' })
  })

  test('does not say that it went well where some were not', async () => {
    await unflag({ unflagged: ['a'], failed: [{ id: 'b', code: 'FLAG_NOT_FOUND' }] })
    expect(toasts.get()).toBeUndefined()
  })

  test('says with the server why none was', async () => {
    const { stale } = await unflag(refused)
    expect(stale).toHaveLength(3)
    expect(toasts.get()).toMatchObject({ title: 'Unflag Failed', description: 'The server says why.' })
  })

  test('keeps a report until the list is loaded again, because it is still shown until then', async () => {
    const { client } = fakeClient({ unflagged: ['a'], failed: [] })
    const queries = new QueryClient()
    queries.setQueryData([moderation.report.path, 'a', 'list'], {})
    let known: unknown
    const list = new QueryObserver(queries, {
      queryKey: [moderation.flagged.path],
      queryFn: () => {
        known = queries.getQueryData([moderation.report.path, 'a', 'list'])
        return []
      },
      initialData: [a],
      staleTime: Infinity,
    })
    const stop = list.subscribe(nothing)
    await new MutationObserver(queries, unflagSeveralMutation(client, queries)).mutate([a])
    stop()
    expect(known).toEqual({})
    expect(queries.getQueryData([moderation.report.path, 'a', 'list'])).toBeUndefined()
  })

  test('names each that was not unflagged, and why', () => {
    const markup = renderToStaticMarkup(createElement(NotUnflagged, { unflagged: 1, flags: [b, c] }))
    expect(markup).toContain('Unflagged: 1. Not unflagged: 2.')
    expect(markup.match(/@sender\.[bc]/g)).toEqual(['@sender.b', '@sender.c'])
    expect(markup.match(/Its flag had ended or was removed/g)).toHaveLength(2)
  })
})
