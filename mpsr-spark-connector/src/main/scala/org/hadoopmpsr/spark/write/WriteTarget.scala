/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.hadoopmpsr.spark.write

import org.apache.hadoop.fs.Path
import org.hadoopmpsr.client.Dataset
import org.hadoopmpsr.spark.overwrite.Overwriting

/**
 * What a write goes to.
 *
 * @param root the dataset directory, with scheme and authority
 * @param dataset as it was when the write was planned
 * @param batch none if the write is not one of a stream
 * @param overwriting what the write takes away; none if it appends
 */
private[write] final case class WriteTarget(
    root: Path,
    dataset: Dataset,
    form: WriteForm,
    batch: Option[StreamBatch],
    overwriting: Option[Overwriting])

/**
 * Where a row has the values of a record.
 *
 * @param columns the place of each column of the dataset's schema; -1 if the row lacks it
 * @param fields the places of partition fields that are derived from columns, by their place among the default group's fields: the row
 *     tells them too, and must tell what is derived
 * @param times what becomes of days and times of old calendars
 */
private[write] final case class WriteForm(columns: Seq[Int], fields: Seq[(Int, Int)], times: OldTimes = OldTimes.Corrected)
