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
package org.hadoopmpsr.catalog;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import org.slf4j.LoggerFactory;

@AnalyzeClasses(packages = "org.hadoopmpsr.catalog", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    /** A dataset is described without plans, and planned without the web. */
    @ArchTest
    static final ArchRule LAYERS = layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .layer("server")
            .definedBy("..catalog.server..")
            .layer("manifest")
            .definedBy("..catalog.manifest..")
            .layer("append")
            .definedBy("..catalog.append..")
            .layer("plan")
            .definedBy("..catalog.plan..")
            .layer("table")
            .definedBy("..catalog.table..")
            .whereLayer("server")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("manifest")
            .mayOnlyBeAccessedByLayers("server")
            .whereLayer("append")
            .mayOnlyBeAccessedByLayers("server")
            .whereLayer("plan")
            .mayOnlyBeAccessedByLayers("manifest", "server")
            .whereLayer("table")
            .mayOnlyBeAccessedByLayers("append", "manifest", "plan", "server");

    @ArchTest
    static final ArchRule ONLY_THE_SERVER_KNOWS_THE_WEB = noClasses()
            .that()
            .resideOutsideOfPackage("..catalog.server..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("javax.servlet..", "org.eclipse.jetty..", "org.hadoopmpsr.namenode..");

    /** Which logs names of others in printable form. */
    @ArchTest
    static final ArchRule LOGGERS_COME_FROM_ONE_CLASS =
            noClasses().should().dependOnClassesThat().areAssignableTo(LoggerFactory.class);
}
