import { Section } from '../../../ui/section/Section.tsx'
import { SecretsDrawing } from './SecretsDrawing.tsx'
import { secretsTexts as texts } from './texts.ts'
import './secrets.css'

/** Anchor of this section on /help-support. */
const anchor = 'secrets'

/** Explains password, account recovery key, second factor, backup codes, connection code and safety number. */
export function Secrets() {
  return (
    <Section anchor={anchor} title={texts.title} lead={texts.lead}>
      <div className="secrets">
        <SecretsDrawing />
        <ul>
          {texts.items.map(({ name, purpose, keep, lost }) => (
            <li key={name}>
              <h3>{name}</h3>
              <p>{purpose}</p>
              <dl>
                <dt>{texts.keepLabel}</dt>
                <dd>{keep}</dd>
                <dt>{texts.lostLabel}</dt>
                <dd>{lost}</dd>
              </dl>
            </li>
          ))}
        </ul>
      </div>
    </Section>
  )
}
