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

import org.apache.spark.sql.execution.datasources.DataSourceUtils
import org.apache.spark.sql.internal.{LegacyBehaviorPolicy, SQLConf}
import org.apache.spark.sql.internal.LegacyBehaviorPolicy.{CORRECTED, LEGACY}

/**
 * What Spark does with days and times of old calendars when it writes them. Files of groups have dates and times in the calendar of
 * today, whatever they are. With `EXCEPTION`, which is the default before Spark 4, Spark fails for old ones.
 *
 * @param int96 empty where Spark does not write times as INT96
 */
private[write] final case class OldTimes(datetime: LegacyBehaviorPolicy.Value, int96: Option[LegacyBehaviorPolicy.Value]) {

  /** The day as it is written. Fails where Spark does. */
  def date: Int => Int = DataSourceUtils.createDateRebaseFuncInWrite(datetime, "Parquet")

  /** The time with a time zone as it is written. Fails where Spark does. */
  def time: Long => Long =
    int96.fold(DataSourceUtils.createTimestampRebaseFuncInWrite(datetime, "Parquet"))(
      DataSourceUtils.createTimestampRebaseFuncInWrite(_, "Parquet INT96"))
}

private[write] object OldTimes {
  val Corrected: OldTimes = OldTimes(CORRECTED, None)

  /** As a session says, or the setting that makes Spark write another calendar. */
  def of(conf: SQLConf): Either[String, OldTimes] = {
    val modes = Seq(SQLConf.PARQUET_REBASE_MODE_IN_WRITE, SQLConf.PARQUET_INT96_REBASE_MODE_IN_WRITE).map { key =>
      key.key -> LegacyBehaviorPolicy.withName(conf.getConf(key).toString)
    }
    val isInt96 = conf.parquetOutputTimestampType == SQLConf.ParquetOutputTimestampType.INT96
    modes.collectFirst { case (key, LEGACY) => s"$key is $LEGACY, and files of groups are as with $CORRECTED" }
      .toLeft(OldTimes(modes.head._2, if (isInt96) Some(modes.last._2) else None))
  }
}
