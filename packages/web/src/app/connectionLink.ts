import { isConnectionLink, readConnectionLink } from '@privity/contract/connectionLink'
import type { Store } from '@privity/client/store'
import { createTabText } from '../browser/sessionStorageText.ts'

/** The fragment of a link to someone's code, kept for this tab until it is used or another code is typed. */
const fragment = createTabText('privity.connect')

/**
 * Takes a link to someone's code out of the address, so that an address that is copied or shared does not contain it;
 * the browser's history keeps the link that was opened. Returns whether there was one.
 */
export function takeConnectionLink(): boolean {
  const { hash, pathname, search } = location
  if (!isConnectionLink(hash)) return false
  history.replaceState(history.state, '', pathname + search)
  fragment.set(hash)
  return true
}

/** The code and the fingerprint of the link that was opened in this tab; undefined without a well-formed one. */
export const openedLink = () => readConnectionLink(fragment.get() ?? '')

/** Whether this tab holds a well-formed link. */
export const isLinkOpened: Store<boolean> = {
  subscribe: fragment.subscribe,
  get: () => openedLink() !== undefined,
}

export const forgetOpenedLink = (): void => fragment.set(undefined)
