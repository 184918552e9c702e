import { durationWords } from '@privity/contract/duration'
import { limits } from '@privity/contract/limits'

/** The server writes its message lifetime into the pages where it is shorter than the product's. */
function retentionOfPage(): number {
  const set = typeof document === 'undefined' ? undefined : document.documentElement.dataset.retention
  return set === undefined ? limits.retention : Math.min(Number(set), limits.retention)
}

const retention = retentionOfPage()

/** How long a message lives on this server, in the words of each language. */
export const lifetime = { en: durationWords(retention, 'en'), de: durationWords(retention, 'de') }
