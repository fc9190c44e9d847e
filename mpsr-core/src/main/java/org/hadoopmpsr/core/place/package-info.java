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
 * Where a reduction is made: at its source, at storage, or at the reader. Plain functions over profiles and measurements, after Zou et
 * al., "FlexAnalytics: A Flexible Data Analytics Framework for Big Data Applications with I/O Performance Improvement", Big Data Research
 * 1, 2014.
 */
package org.hadoopmpsr.core.place;
