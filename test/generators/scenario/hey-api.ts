// The clients of @hey-api/openapi-ts, which use fetch.

import { client as moduleClient } from '../hey-api/module/client.gen'
import * as modules from '../hey-api/module/sdk.gen'
import { client as systemClient } from '../hey-api/system/client.gen'
import * as system from '../hey-api/system/sdk.gen'
import { type Client, play, require } from './scenario'

export function run(key: string): Promise<object> {
  for (const client of [systemClient, moduleClient]) client.setConfig({ auth: key })

  const client: Client = {
    async createFolder(name) {
      const { data } = await system.createAssetCategory({ body: { name } })
      return require(data).asset_category_id
    },
    async createFile({ folder: parent_category_id, name, text: pageContent }) {
      const body = { name, type: 'html', parent_category_id, pageContent }
      const { data } = await system.createAssetFile({ body })
      return require(data).asset_file_id
    },
    async createFiles(folder, names) {
      const body = names.map((name) => ({ name, type: 'html', parent_category_id: folder }))
      const { data } = await system.bulkCreateAssetFile({ body })
      return require(data).asset_file.map(({ name }) => name)
    },
    async publish(id) {
      const { data } = await system.publishAssetFileByPost({ path: { id } })
      return require(data).live_version
    },
    async findFiles(qry) {
      const { data } = await system.searchAssetFile({ query: { qry, length: 10 } })
      return require(data).asset_file.map(({ name }) => name)
    },
    async deleteFile(id) {
      await system.deleteAssetFile({ path: { id } })
    },
    async refusal(id) {
      const { error, response } = await system.readAssetFile({ path: { id } })
      return [response?.status ?? 0, error?.code]
    },
    async createTable(name, table_schema) {
      const { data } = await system.createDatatable({ body: { name, table_schema } })
      return (require(data).columns ?? []).map((column) => column.name)
    },
    async createEntry(body) {
      const { data } = await modules.createDatatable1Products({ body })
      return require(data).datatable_entry
    },
    async createEntries(body) {
      const { data } = await modules.bulkCreateDatatable1Products({ body })
      return require(data).datatable_entry.length
    },
    async findEntries(qry) {
      const { data } = await modules.searchDatatable1Products({ query: { qry } })
      return require(data).datatable_entry
    },
    async findEntriesByPost(qry) {
      const { data } = await modules.searchDatatable1ProductsByPost({ body: { qry } })
      return require(data).datatable_entry
    },
    async readRelated(entry_id) {
      const query = { expand: 'also' }
      const { data } = await modules.readDatatable1Products({ path: { entry_id }, query })
      return require(data).expanded?.also?.map(({ title }) => title)
    },
    async updateEntry(entry_id, body) {
      const { data } = await modules.updateDatatable1Products({ path: { entry_id }, body })
      return require(data)
    },
    async deleteEntry(entry_id) {
      await modules.deleteDatatable1Products({ path: { entry_id } })
    },
    async upload(folder, name, bytes) {
      const Filedata = new File([bytes], name)
      const { data } = await system.uploadFile({ body: { Filedata, asset_category_id: folder } })
      const { asset_file_id, size } = require(data)
      return [asset_file_id, size]
    },
    async download(number, name) {
      const { data } = await system.downloadFile({ path: { number, name } })
      return require(data)
    },
    async health() {
      const { data } = await system.readHealth()
      return require(data).status
    },
  }
  return play('hey-api', client)
}
