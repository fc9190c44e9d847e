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
package org.hadoopmpsr.spark.relation;

import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.execution.datasources.InMemoryFileIndex;
import scala.collection.mutable.LinkedHashMap;

/** Spark's own table of what it has listed, which Scala lets subclasses use only. */
final class LeafFiles {

    private LeafFiles() {}

    /** The files by qualified path; another table after a refresh. Not to be changed. */
    static LinkedHashMap<Path, FileStatus> of(InMemoryFileIndex index) {
        return index.leafFiles();
    }
}
