import { Component, createContext, type ReactNode, useContext } from 'react'

interface Props {
  /** What stands in place of a part that failed. */
  fallback: ReactNode
  /** Another value is another try. */
  resetOn?: unknown
  children: ReactNode
}

interface Caught {
  failed: boolean
  resetOn: unknown
  /** Another object with every try. */
  attempt: object
}

const Attempt = createContext<object>({})
const Retry = createContext<() => void>(() => {})

/** The try that is being made at what stands here. */
export const useAttempt = () => useContext(Attempt)
/** For what stands in place of a part that failed: tries it again. */
export const useRetry = () => useContext(Retry)

const standing = new Set<Boundary>()

/** Tries again whatever failed, anywhere on the page. */
export function retryFailed(): void {
  for (const boundary of standing) if (boundary.state.failed) boundary.retry()
}

/** Where a fault ends: what is around this part goes on. */
export class Boundary extends Component<Props, Caught> {
  override state: Caught = { failed: false, resetOn: this.props.resetOn, attempt: {} }

  static getDerivedStateFromError(): Partial<Caught> {
    return { failed: true }
  }

  static getDerivedStateFromProps({ resetOn }: Props, state: Caught): Caught | null {
    return resetOn === state.resetOn ? null : { failed: false, resetOn, attempt: {} }
  }

  override componentDidMount(): void {
    standing.add(this)
  }

  override componentWillUnmount(): void {
    standing.delete(this)
  }

  readonly retry = (): void => this.setState({ failed: false, attempt: {} })

  override render(): ReactNode {
    return this.state.failed ? <Retry value={this.retry}>{this.props.fallback}</Retry> : <Attempt value={this.state.attempt}>{this.props.children}</Attempt>
  }
}
