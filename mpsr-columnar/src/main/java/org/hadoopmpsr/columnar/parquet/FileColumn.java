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
package org.hadoopmpsr.columnar.parquet;

import java.util.function.Supplier;
import org.hadoopmpsr.columnar.buffer.ColumnVector;
import org.hadoopmpsr.core.schema.Column;

/**
 * A column of a file and where its values come from.
 *
 * @param column of the file, or a value within one, which is in the file with that one, and of which there are statistics only
 * @param ranks gives the places of a string column's values in their order, by number in the dictionary as it is now; else
 *     unused
 * @param bloom whether readers that ask for single values get a Bloom filter for each row group
 */
public record FileColumn(Column column, ColumnVector vector, Supplier<int[]> ranks, boolean bloom) {}
