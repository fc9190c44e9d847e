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
 * Kept answers: partial results of reductions of files that never change, so that a later reduction of the same kind does not read
 * these files again. Plain functions of the JDK; who keeps them, where, and for whom is up to the hosts.
 *
 * <p>An answer holds for one {@link org.hadoopmpsr.core.answer.FileKey} and one text of a request, which has all that the answer
 * depends on. Answers of one request are written together, so that few files hold many answers.
 */
package org.hadoopmpsr.core.answer;
