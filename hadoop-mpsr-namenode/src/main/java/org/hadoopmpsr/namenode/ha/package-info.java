/** Takes up the namespace when this NameNode starts as active or becomes it, and follows it as a standby. */
package org.hadoopmpsr.namenode.ha;
