import { uiTexts } from './texts.ts'

/** The first stop of the Tab key on every page; the page's <main id="main"> is where it leads. */
export function SkipLink({ children = uiTexts.skip }: { children?: string }) {
  return (
    <a className="skip" href="#main">
      {children}
    </a>
  )
}
