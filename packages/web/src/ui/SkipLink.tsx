import { uiTexts } from './texts.ts'

/** The first element in the tab order of every page; skips to <main id="main">. */
export function SkipLink({ children = uiTexts.skip }: { children?: string }) {
  return (
    <a className="skip" href="#main">
      {children}
    </a>
  )
}
