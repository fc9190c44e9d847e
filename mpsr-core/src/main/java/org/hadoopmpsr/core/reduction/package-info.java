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
/**
 * Reductions: few numbers in place of many records. Each has a partial result, which takes records in any order (windows: in
 * the order of time) and is merged with others, so that each process reduces what lies near it. Plain functions of the JDK,
 * without Spark.
 *
 * <p>Times are whole numbers of a column's unit. Values are numbers; those that are no number (NaN) and nulls never take part
 * in a result, and are counted where a result says so. Both zeros are one value.
 */
package org.hadoopmpsr.core.reduction;
