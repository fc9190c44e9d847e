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
package org.hadoopmpsr.mount;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import org.slf4j.LoggerFactory;

@AnalyzeClasses(packages = "org.hadoopmpsr.mount", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    /** The view is served without a kernel, and the protocol without HDFS. */
    @ArchTest
    static final ArchRule LAYERS = layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .layer("server")
            .definedBy("..mount.server..")
            .layer("view")
            .definedBy("..mount.view..")
            .layer("fuse")
            .definedBy("..mount.fuse..")
            .whereLayer("server")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("view")
            .mayOnlyBeAccessedByLayers("server")
            .whereLayer("fuse")
            .mayOnlyBeAccessedByLayers("view", "server");

    @ArchTest
    static final ArchRule THE_PROTOCOL_KNOWS_NO_HADOOP = noClasses()
            .that()
            .resideInAPackage("..mount.fuse..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.apache..", "org.hadoopmpsr.core..", "org.hadoopmpsr.client..");

    /** Which logs names of others in printable form. */
    @ArchTest
    static final ArchRule LOGGERS_COME_FROM_ONE_CLASS =
            noClasses().should().dependOnClassesThat().areAssignableTo(LoggerFactory.class);
}
