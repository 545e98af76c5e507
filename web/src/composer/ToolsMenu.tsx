import { CloudSun, Globe, Map as MapIcon, SlidersHorizontal, Wrench } from 'lucide-react'
import type { ConfigReport } from '@/api/protocol.gen'
import { IconButton } from '@/design/IconButton'
import { Menu, MenuCheck, MenuItem, MenuLine, MenuTitle } from '@/design/Menu'
import { useStore } from '@/store'

/** The tools that are switched on and off in the middle of a conversation: those that access the web. */
const SWITCHES = [
  { key: 'builtin_tools.web_search.enabled', title: 'Web search', icon: Globe },
  { key: 'weather.enabled', title: 'Weather', icon: CloudSun },
  { key: 'map.online', title: 'Detailed maps', icon: MapIcon },
]

const fieldOf = (config: ConfigReport | null, key: string) => config?.sections.flatMap(({ fields }) => fields).find((field) => field.key === key)

/** The companion's tools, within reach of the composer. */
export function ToolsMenu() {
  const config = useStore((state) => state.config)
  const name = useStore((state) => state.companionName)
  const saving = useStore((state) => state.saving)
  const { changeConfig, go, notify } = useStore.getState()
  const change = async (key: string, on: boolean) => {
    await changeConfig(key, on)
    const outcome = useStore.getState().saving[key]
    if (outcome?.state === 'failed') notify({ tone: 'danger', text: outcome.message })
  }
  return (
    <Menu
      label="Tools"
      align="start"
      side="top"
      trigger={
        <IconButton label={`What ${name} may use`} className="rounded-full">
          <Wrench size={17} />
        </IconButton>
      }
    >
      <MenuTitle>{name} may use</MenuTitle>
      {SWITCHES.map(({ key, title, icon: Icon }) => {
        const field = fieldOf(config, key)
        if (!field) return null
        const fixed = field.from === 'environment' || field.from === 'flag'
        return (
          <MenuCheck key={key} icon={<Icon size={16} />} on={field.value === true} disabled={fixed || saving[key]?.state === 'saving'} onChange={(on) => void change(key, on)}>
            {title}
          </MenuCheck>
        )
      })}
      <MenuLine />
      <MenuItem icon={<SlidersHorizontal size={16} />} onSelect={() => go({ page: 'tools' })}>
        All tools and permissions
      </MenuItem>
    </Menu>
  )
}
